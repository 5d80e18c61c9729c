"""Replacements of lines in simcord's own scripts that no style sheet and no hook can change.

simcord's exact version is pinned, and `replaced` refuses scripts that lack these lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

#: Replacements by the path of the script: a text that occurs there exactly once, and ours.
LINES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "/commands.js": (
        # Show what each option is for.
        (
            'item.append(node("span", "command-suggestion-ellipsis", "…"));',
            'item.append(node("span", "command-suggestion-about", value.description || ""));',
        ),
        # Show suggestions before the first letter is typed, as Discord does.
        (
            'const current = String(field.value || "");',
            'const current = String(field.value || "");\n'
            "            if (!autocompleteResults.has(autocompleteKey(currentDraft(), option.name, current))) "
            "queryAutocomplete(option, current);",
        ),
        (
            "renderPopup(field, `OPTIONS MATCHING ${current.toUpperCase()}`,",
            'renderPopup(field, current ? `OPTIONS MATCHING ${current.toUpperCase()}` : "OPTIONS",',
        ),
        (
            "renderPopup(input, `OPTIONS MATCHING ${input.value.toUpperCase()}`,",
            'renderPopup(input, input.value ? `OPTIONS MATCHING ${input.value.toUpperCase()}` : "OPTIONS",',
        ),
        # Do not let late suggestions replace a list that was opened after they were asked for.
        ("function openOptions(owner) {", "function openOptions(owner) {\n    drafts.focus(null);"),
        # An unknown name may be meant as a new one, and a list that is still loading is not empty.
        (
            'autocomplete.state === "failed" ? "Loading options failed" : "No options match"',
            'playground.words(autocomplete.state === "loading" ? "looking" : owner.value ? "unknown" : "none")',
        ),
    ),
    # Keep actions that are sent while simcord waits for something else; simcord would drop them.
    "/actions.js": (
        ("let busyDeferred = false;", "let busyDeferred = false;\n  let held = null;"),
        (
            "if (pageAction(kind)) pageIntent(kind, extra); return;",
            "if (pageAction(kind)) pageIntent(kind, extra);\n"
            "      else if (playground.waits(kind, extra, pending)) held = [kind, extra, metadata];\n"
            "      return;",
        ),
        (
            "awaitingRevision > context.publishedRevision) return;",
            "awaitingRevision > context.publishedRevision) {\n"
            "      if (playground.waits(kind, extra, null)) held = [kind, extra, metadata];\n"
            "      return;\n"
            "    }",
        ),
        (
            'for (const kind of ["close", "viewer", "refresh", "focus", "configure_presentation"]) {',
            "if (held && (awaitingRevision === null || awaitingRevision <= context.publishedRevision)) {\n"
            "      const next = held; held = null; dispatch(...next); return;\n"
            "    }\n"
            '    for (const kind of ["close", "viewer", "refresh", "focus", "configure_presentation"]) {',
        ),
        (
            "resetInteraction: () => { queries.clear();",
            "resetInteraction: () => { if (held) playground.missed(); held = null; queries.clear();",
        ),
    ),
    "/composer.js": (("sendButton.disabled = Boolean(state.pendingAction) || ", "sendButton.disabled = "),),
    # Show the choice of a menu that takes the place of another one, as Discord does.
    "/selects.js": (
        (
            "const valid = selected.filter((value) => entryValues.has(value));",
            "const valid = selected.every((value) => entryValues.has(value))\n"
            "      ? selected : optionDefaults(entries).slice(0, maximum);",
        ),
    ),
    # Let our links and menus act as simcord's own buttons do.
    "/app.js": (("\nbootstrap();", "\nplayground.dispatch = dispatch;\nbootstrap();"),),
    # Write times as the person's browser does.
    "/presentation.js": (
        (
            'locale: configured.locale || state.profile.locale || "en-US",',
            "locale: navigator.language,",
        ),
        (
            'timezone: configured.timezone || state.profile.timezone || "UTC",',
            "timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,",
        ),
    ),
    # Keep the style of a time, so that `page.js` can keep countdowns going.
    "/text.js": (
        (
            'const time = node("time", "discord-timestamp", rendered);',
            'const time = node("time", "discord-timestamp", rendered);\n  time.dataset.style = style;',
        ),
    ),
}


class Changed(Exception):
    """Raised for a script of simcord that is not the expected one."""


def replaced(path: str, script: str) -> str:
    """Return the script of simcord at this path with our lines in place of its own, or raise Changed."""
    for theirs, ours in LINES.get(path, ()):
        if script.count(theirs) != 1:
            raise Changed(f"simcord's {path} is not the one that the playground was written for: {theirs}")
        script = script.replace(theirs, ours)
    return script
