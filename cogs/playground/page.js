// What the playground adds to simcord's page: it stays who one is, outlives a restart, keeps its pictures while the next
// ones load, and keeps what one did in view. It runs before simcord's own scripts.
"use strict";
(() => {
  const root = document.documentElement;
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const never = new Promise(() => {});

  // -- dark or light: as the device, until somebody presses the button -------------------------------------------------

  const device = matchMedia("(prefers-color-scheme: light)");
  const paint = () => { root.dataset.theme = localStorage.getItem("theme") || (device.matches ? "light" : "dark"); };
  device.addEventListener("change", paint);
  paint();

  // -- who one is, and whether the casino is there ---------------------------------------------------------------------

  const say = (text) => { root.dataset.said = text; paintSaid(); };
  const paintSaid = () => {
    const line = document.getElementById("playground-said");
    if (line) { line.textContent = root.dataset.said || ""; line.hidden = !root.dataset.said; }
  };
  // What we say comes with the page, in the browser's language.
  const words = (name) => document.querySelector(`meta[name=${name}]`).content;

  // A line above the box one types into, for a while: what became of what was sent.
  let quiet;
  function note(name) {
    const line = document.getElementById("playground-note");
    line.textContent = name ? words(name) : "";
    line.hidden = !name;
    clearTimeout(quiet);
    if (name) quiet = setTimeout(note, 8000);
  }

  const send = window.fetch.bind(window);
  window.fetch = async (path, options = {}) => {
    if (path === "/api/pages") options = { ...options, body: JSON.stringify(whoToBe()) };
    const asked = path === "/api/action" && typeof options.body === "string" ? JSON.parse(options.body) : {};
    if (asked.kind === "viewer") { sessionStorage.setItem("viewer", asked.viewer_id); followed = null; paintPlace(); }
    remember(asked);
    const answer = await (String(path).startsWith("/api/assets/") ? picture(path, options) : reached(path, options));
    say(answer.status === 401 ? words("other") : "");
    if (answer.status === 410) { location.reload(); return never; }  // it was started anew, or forgot a page that slept
    if (path === "/api/pages" && answer.status === 400) {  // it is still starting, or knows nobody of that name
      sessionStorage.removeItem("viewer");
      paintPlace();
      await wait(500);
      return window.fetch(path, options);
    }
    if (path === "/api/action" && answer.ok) acted(asked, await answer.clone().json());
    return answer;
  };

  function whoToBe() {
    const viewer = sessionStorage.getItem("viewer");
    return viewer ? { viewer_id: viewer } : {};
  }

  // What was sent and not answered is sent again: the playground knows by its id whether it has been taken already.
  async function reached(path, options) {
    try {
      return await send(path, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      say(words("gone"));
      if (path !== "/api/pages" && path !== "/api/action") throw error;
      await wait(500);
      return reached(path, options);
    }
  }

  // Pictures are asked for three at a time, the newest first, so that nothing that a person sends waits behind them.
  const pictures = [];
  let asking = 0;

  async function picture(path, options) {
    await new Promise((resolve) => { pictures.push(resolve); queueMicrotask(nextPicture); });
    try {
      const answer = await send(path, options);
      return answer.status === 204 ? never : answer;  // it has been replaced: the next page, under way, brings another
    } finally {
      asking -= 1;
      nextPicture();
    }
  }

  function nextPicture() {
    if (asking >= 3 || !pictures.length) return;
    asking += 1;
    pictures.pop()();
  }

  // -- nothing that a person sends is lost without a word --------------------------------------------------------------

  const PRESSES = ["click", "select"];
  const TYPED = ["run_command", "send_message", "modal_submit"];

  // Whether it may wait while simcord does something else. A press is aimed at what is seen: it waits only for questions
  // of the page itself, and not for another press, after which the table looks different.
  function waits(kind, body, pending) {
    const may = TYPED.includes(kind) || (PRESSES.includes(kind) && pending && ![...PRESSES, ...TYPED].includes(pending.kind));
    if (may) { note("sending"); remember({ kind, ...body }); }
    else if (PRESSES.includes(kind) && pending?.controlKey !== body.control_key) note("missed");
    return may;
  }

  function missed() { note("missed"); sessionStorage.removeItem("unsent"); }

  window.playground = { words, waits, missed };

  function acted(asked, receipt) {
    if (written(asked) === null && asked.kind !== "focus") return;
    sessionStorage.removeItem("unsent");
    const refused = asked.kind === "focus" ? "earlier" : "missed";
    note(receipt.rejected ? refused : receipt.settlement !== "settled" ? "silent" : null);
    if (receipt.rejected) return;
    const answered = (receipt.outcomes || []).map((outcome) => outcome.messageId).filter(Boolean).at(-1);
    if (answered || asked.kind === "focus") follow(String(answered || asked.target_id), PRESSES.includes(asked.kind));
  }

  // What a person has sent, as far as it was typed; null for what the page asks by itself.
  function written({ kind, content, path, menu }) {
    if (![...PRESSES, ...TYPED].includes(kind)) return null;
    return content || (path && !menu ? `/${path.join(" ")}` : "");
  }

  function remember(asked) {
    if (written(asked) !== null) sessionStorage.setItem("unsent", written(asked));
  }

  // What a restart has swallowed stands in the box again.
  function giveBack(text) {
    const input = document.getElementById("channel-composer-input");
    if (!input?.checkVisibility()) return setTimeout(giveBack, 200, text);
    missed();
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A command that is typed to its end need not be chosen from the list as well; before the list is there, it waits.
  function chooseWhatIsTyped(event) {
    const typed = document.getElementById("channel-composer-input")?.value.trim();
    if (typed?.startsWith("/") && simcordPreview.commandPicker.catalog.state === "loading") {
      event.preventDefault();
      event.stopImmediatePropagation();
      setTimeout(() => event.target.requestSubmit(), 200);
      return;
    }
    const title = [...document.querySelectorAll(".command-entry-title strong")].find((each) => each.textContent === typed);
    if (!title) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    title.click();
    setTimeout(() => event.target.requestSubmit());
  }

  // -- what one did stays in view --------------------------------------------------------------------------------------

  let timeline, list;
  let followed = null;  // the message to keep in view; null: wherever the person has scrolled to
  let pressed = false;  // whether the person pressed one of its buttons
  let own = false;  // whether it answers what the person has sent
  let free = false;  // whether the person has scrolled away
  let last = null;

  function follow(id, byButton) { followed = id; pressed = byButton; own = true; free = false; look(); }

  function look() {
    if (!list) return;
    const messages = [...list.querySelectorAll("[data-message-id]")];
    const newest = messages.at(-1)?.dataset.messageId ?? null;
    const find = (id) => messages.find((message) => message.dataset.messageId === id);
    if (!free && newest !== last && (!followed || followed === last || !find(followed))) {
      if (own && newest !== followed && isAtPlay(find(followed))) document.getElementById("new-messages").hidden = false;
      else { followed = newest; pressed = own = false; }
    }
    last = newest;
    if (find(followed) && !free) show(find(followed));
  }

  // Nobody is taken away from a form, or from a table where it is something to press, by what others begin.
  const isAtPlay = (message) => document.querySelector(".modal-dialog") || message?.querySelector(".component-button:enabled");

  // The whole message if there is room for it; else from its beginning, or up to the buttons: those that were just
  // pressed, or of a picture that has almost room for all.
  function show(message) {
    const view = timeline.getBoundingClientRect();
    const box = message.getBoundingClientRect();
    const keys = [...message.querySelectorAll(".component-button")].at(-1)?.getBoundingClientRect().bottom ?? box.bottom;
    let by = box.top - view.top;
    if (box.height <= view.height) by = Math.max(0, box.bottom - view.bottom) + Math.min(0, box.top - view.top);
    else if ((pressed || almost(message, box, view)) && keys + 8 - box.top > view.height) by = keys + 8 - view.bottom;
    if (Math.abs(by) >= 1) scrollTop.set.call(timeline, scrollTop.get.call(timeline) + by);
  }

  const almost = (message, box, view) => message.querySelector(".component-gallery") && box.height - view.height < 120;

  // Opening a menu draws all messages again, with pictures that have no size for a moment. Nothing may move meanwhile:
  // a menu closes when the page scrolls.
  let opening = 0;

  function hold() {
    list.style.minHeight = `${list.offsetHeight}px`;
    release(Date.now() + 10000);
  }

  function release(latest) {
    clearTimeout(opening);
    opening = setTimeout(() => {
      const drawn = !simcordPreview.pendingAction && [...list.querySelectorAll("img")].every((image) => image.naturalWidth);
      if (!drawn && Date.now() < latest) return release(latest);
      opening = 0;
      list.style.minHeight = "";
    }, 1000);
  }

  // simcord keeps a place of its own; while a message is followed it may not.
  const scrollTop = Object.getOwnPropertyDescriptor(Element.prototype, "scrollTop");

  function watchScrolling() {
    Object.defineProperty(timeline, "scrollTop", {
      get() { return scrollTop.get.call(this); },
      set(value) { if (!opening && (free || !followed)) scrollTop.set.call(this, value); },
    });
    const leave = () => { free = true; };
    for (const kind of ["wheel", "touchmove"]) timeline.addEventListener(kind, leave, { passive: true });
    timeline.addEventListener("pointerdown", (event) => { if (event.target === timeline) leave(); });  // its scroll bar
    for (const kind of ["pointerdown", "focusin"]) {  // a menu that is opened stays where it is
      timeline.addEventListener(kind, (event) => { if (event.target.closest?.(".preview-select")) { leave(); hold(); } });
    }
    timeline.addEventListener("keydown", (event) => { if (/^(Page|Arrow|Home|End)/.test(event.key)) leave(); });
    timeline.addEventListener("scroll", () => {
      if (free && timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 2) { free = false; followed = last; }
    }, { passive: true });
    document.getElementById("new-messages").addEventListener("click", () => { free = false; followed = null; last = null; });
    new ResizeObserver(look).observe(list);
    new ResizeObserver(look).observe(timeline);
  }

  // -- times count on --------------------------------------------------------------------------------------------------

  const relative = new Intl.RelativeTimeFormat(navigator.language, { numeric: "auto" });
  const units = [["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

  function tick() {
    for (const time of list.querySelectorAll("time[data-style=R]")) {
      const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
      const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) || units.at(-1);
      const text = relative.format(Math.round(seconds / length), unit);
      if (time.textContent !== text) time.textContent = text;
    }
  }

  // -- the channel, or one's own direct message ------------------------------------------------------------------------

  const isDirect = () => Object.values(JSON.parse(words("directs"))).includes(sessionStorage.getItem("viewer"));

  function placeButton() {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "toolbar-button", id: "place" });
    button.addEventListener("click", () => {
      const person = document.getElementById("viewer-picker").value;
      playground.dispatch("viewer", { viewer_id: isDirect() ? person : JSON.parse(words("directs"))[person] });
    });
    return button;
  }

  function paintPlace() {
    const button = document.getElementById("place");
    if (!button) return;
    button.textContent = isDirect() ? "#casino" : words("direct");
    root.classList.toggle("direct", isDirect());
    document.getElementById("channel-empty").textContent = words(isDirect() ? "alone" : "welcome");
  }

  // -- links into Discord, and what a right click offers -----------------------------------------------------------------

  function followLink(event) {
    const link = event.target.closest?.('a[href^="https://discord.com/"]');
    if (!link || link.matches(".button-style-5") && !link.pathname.startsWith("/channels/")) return;
    event.preventDefault();
    const id = /^\/channels\/\d+\/\d+\/(\d+)$/.exec(link.pathname)?.[1];
    const message = id && list.querySelector(`[data-message-id="${id}"]`);
    if (message) point(message);
    else if (id) playground.dispatch("focus", { target_id: id });
    else note("elsewhere");
  }

  function point(message) {
    follow(message.dataset.messageId, false);
    message.classList.add("pointed-at");
    message.addEventListener("animationend", () => message.classList.remove("pointed-at"), { once: true });
  }

  const personCalled = (name) => [...document.querySelectorAll("#viewer-picker option")]
    .find((option) => `@${option.textContent}` === name)?.value;

  // A tap on a name, a right click on it or on a message, and the key beside a message's time.
  function offerMenu(event) {
    if (isDirect()) return;
    const message = event.target.closest?.("#channel-message-list [data-message-id]");
    const name = event.target.closest?.(".mention");
    const person = name && personCalled(name.textContent);
    closeMenu();
    if (person) openMenu(event, "user", person);
    else if (message && (event.type === "contextmenu" || event.target.closest(".apps-key"))) {
      openMenu(event, "message", message.dataset.messageId);
    }
  }

  function openMenu(event, kind, target) {
    event.preventDefault();
    const menu = Object.assign(document.createElement("div"), { id: "playground-menu" });
    menu.setAttribute("role", "menu");
    for (const name of JSON.parse(words("menus"))[kind]) {
      const item = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      item.setAttribute("role", "menuitem");
      item.addEventListener("click", () => {
        const command = { command_id: "0", path: [name], schema_fingerprint: "", options: {} };
        playground.dispatch("run_command", { ...command, menu: kind, target });
      });
      menu.append(item);
    }
    document.body.append(menu);
    menu.style.left = `${Math.max(8, Math.min(event.clientX, innerWidth - menu.offsetWidth - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(event.clientY, innerHeight - menu.offsetHeight - 8))}px`;
    menu.firstElementChild.focus();
  }

  function closeMenu() { document.getElementById("playground-menu")?.remove(); }

  function addAppsKeys() {
    for (const header of list.querySelectorAll(".message-header:not(:has(.apps-key))")) {
      const key = Object.assign(document.createElement("button"), { type: "button", className: "apps-key", textContent: "⋯" });
      key.setAttribute("aria-label", words("apps"));
      header.append(key);
    }
  }

  // -- a picture stays until the next one is there ---------------------------------------------------------------------

  const loaded = (image) => image.complete && image.naturalWidth > 0;

  function images(nodes) {
    return [...nodes].filter((node) => node instanceof Element)
      .flatMap((node) => (node.matches("img") ? [node] : [...node.querySelectorAll("img")]))
      .filter((image) => !image.closest(".message-header"));
  }

  function keepPictures(records) {
    for (const { target, removedNodes } of records) {
      const message = target.closest?.("[data-message-id]");
      const before = images(removedNodes).filter(loaded);
      if (!message || !before.length) continue;
      const now = images([message]).filter((image) => image.closest(".media-lightbox-trigger"));
      now.forEach((image, place) => { if (!loaded(image) && before[place]) keepUntilLoaded(image, before[place]); });
    }
  }

  // A card's emoji is the same picture wherever it stands: what has been seen once is shown at once.
  const emoji = new Map();

  function rememberEmoji({ target }) {
    if (!target.matches?.("img.custom-emoji") || emoji.has(target.alt)) return;
    const canvas = Object.assign(document.createElement("canvas"), { width: target.naturalWidth, height: target.naturalHeight });
    canvas.getContext("2d").drawImage(target, 0, 0);
    canvas.toBlob((picture) => { if (picture) emoji.set(target.alt, URL.createObjectURL(picture)); });
  }

  function fillInEmoji() {
    for (const image of list.querySelectorAll("img.custom-emoji:not([src])")) {
      if (emoji.has(image.alt)) image.src = emoji.get(image.alt);
    }
  }

  function keepUntilLoaded(image, still) {
    still.className = `${image.className} still`;
    still.alt = "";
    still.setAttribute("aria-hidden", "true");
    image.before(still);
    image.addEventListener("load", () => still.remove(), { once: true });
  }

  // -- the page --------------------------------------------------------------------------------------------------------

  function themeButton() {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "toolbar-button", id: "theme" });
    const label = () => { button.textContent = words(root.dataset.theme === "light" ? "dark" : "light"); };
    button.addEventListener("click", () => {
      localStorage.setItem("theme", root.dataset.theme === "light" ? "dark" : "light");
      paint();
      label();
    });
    device.addEventListener("change", label);
    label();
    return button;
  }

  document.addEventListener("DOMContentLoaded", () => {
    timeline = document.getElementById("channel-timeline");
    list = document.getElementById("channel-message-list");
    document.querySelector(".channel-header").append(placeButton());
    paintPlace();
    document.getElementById("toolbar").append(themeButton());
    document.body.prepend(Object.assign(document.createElement("p"), { id: "playground-said", role: "alert", hidden: true }));
    paintSaid();
    const noted = Object.assign(document.createElement("p"), { id: "playground-note", hidden: true });
    noted.setAttribute("role", "status");
    document.getElementById("channel-composer").before(noted);
    document.addEventListener("submit", chooseWhatIsTyped, true);
    watchScrolling();
    list.addEventListener("load", rememberEmoji, true);
    setInterval(tick, 1000);
    const unsent = sessionStorage.getItem("unsent");
    if (unsent !== null) giveBack(unsent);
    document.addEventListener("click", followLink, true);
    document.addEventListener("click", offerMenu);
    document.addEventListener("contextmenu", offerMenu);
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeMenu(); });
    new MutationObserver((records) => { keepPictures(records); fillInEmoji(); addAppsKeys(); tick(); look(); }).observe(list, { childList: true, subtree: true });
  });
})();
