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
  window.playground = { words };

  const send = window.fetch.bind(window);
  window.fetch = async (path, options = {}) => {
    if (path === "/api/pages") options = { ...options, body: JSON.stringify(whoToBe()) };
    const asked = path === "/api/action" && typeof options.body === "string" ? JSON.parse(options.body) : {};
    if (asked.kind === "viewer") { sessionStorage.setItem("viewer", asked.viewer_id); followed = null; }
    const answer = await reached(path, options);
    say(answer.status === 401 ? words("other") : "");
    if (answer.status === 410) { location.reload(); return never; }  // it was started anew, or forgot a page that slept
    if (path === "/api/pages" && answer.status === 400) {  // it is still starting, or knows nobody of that name
      sessionStorage.removeItem("viewer");
      await wait(500);
      return window.fetch(path, options);
    }
    if (path === "/api/action" && answer.ok) answer.clone().json().then((receipt) => acted(asked, receipt));
    if (String(path).startsWith("/api/assets/") && answer.status === 404) return loadedLater(path, options, answer);
    return answer;
  };

  function whoToBe() {
    const viewer = sessionStorage.getItem("viewer");
    return viewer ? { viewer_id: viewer } : {};
  }

  async function reached(path, options) {
    try {
      return await send(path, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      say(words("gone"));
      if (path !== "/api/pages") throw error;
      await wait(500);
      return reached(path, options);
    }
  }

  // simcord looks at each picture before it hands it out, and sometimes takes too long over it. If the table has moved
  // on instead, the next page, which is under way, brings its own picture.
  async function loadedLater(path, options, answer) {
    for (let again = 0; again < 4 && answer.status === 404; again += 1) {
      await wait(600);
      answer = await send(path, options);
    }
    return answer;
  }

  function acted(asked, receipt) {
    if (receipt.rejected) return;
    const answered = (receipt.outcomes || []).map((outcome) => outcome.messageId).filter(Boolean).at(-1);
    if (answered || asked.kind === "focus") follow(String(answered || asked.target_id), ["click", "select"].includes(asked.kind));
  }

  // -- what one did stays in view --------------------------------------------------------------------------------------

  let timeline, list;
  let followed = null;  // the message to keep in view; null: wherever the person has scrolled to
  let pressed = false;  // whether the person pressed one of its buttons
  let free = false;  // whether the person has scrolled away
  let last = null;

  function follow(id, byButton) { followed = id; pressed = byButton; free = false; look(); }

  function look() {
    if (!list) return;
    const messages = [...list.querySelectorAll("[data-message-id]")];
    const newest = messages.at(-1)?.dataset.messageId ?? null;
    const known = (id) => messages.some((message) => message.dataset.messageId === id);
    if (!free && newest !== last && (!followed || followed === last || !known(followed))) {
      followed = newest;
      pressed = false;
    }
    last = newest;
    const message = messages.find((each) => each.dataset.messageId === followed);
    if (message && !free) show(message);
  }

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

  // simcord keeps a place of its own; while a message is followed it may not.
  const scrollTop = Object.getOwnPropertyDescriptor(Element.prototype, "scrollTop");

  function watchScrolling() {
    Object.defineProperty(timeline, "scrollTop", {
      get() { return scrollTop.get.call(this); },
      set(value) { if (free || !followed) scrollTop.set.call(this, value); },
    });
    const leave = () => { free = true; };
    for (const kind of ["wheel", "touchmove"]) timeline.addEventListener(kind, leave, { passive: true });
    timeline.addEventListener("pointerdown", (event) => { if (event.target === timeline) leave(); });  // its scroll bar
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
    document.getElementById("channel-empty").textContent = words("welcome");
    document.getElementById("toolbar").append(themeButton());
    document.body.prepend(Object.assign(document.createElement("p"), { id: "playground-said", role: "alert", hidden: true }));
    paintSaid();
    watchScrolling();
    list.addEventListener("load", rememberEmoji, true);
    setInterval(tick, 1000);
    new MutationObserver((records) => { keepPictures(records); fillInEmoji(); tick(); look(); }).observe(list, { childList: true, subtree: true });
  });
})();
