"""The settings of a server that are not numbers, each as a line."""

from __future__ import annotations

from cogs.table.choices import SHOWN, SUITS, languages
from cogs.words import _, listed, zone_name
from data import GuildSettings


def where(settings: GuildSettings) -> str:
    where = ", ".join(f"<#{channel}>" for channel in settings.channels) or _("**anywhere**")
    return _("Tables · {where}", where=where)


def odds(settings: GuildSettings) -> str:
    return _("Odds · **allowed**") if settings.house.odds else _("Odds · **off**")


def language(settings: GuildSettings) -> str:
    otherwise = _("the server's")
    return _("Language · **{name}**", name=languages().get(settings.language or "", otherwise))


def looks(settings: GuildSettings) -> str:
    return _("Appearance · **{suits}** · **{shown}**", suits=_(SUITS[settings.suits]), shown=_(SHOWN[settings.shown]))


def log(settings: GuildSettings) -> str:
    channel = f"<#{settings.log_channel}>" if settings.log_channel is not None else _("**off**")
    return _("Log · {channel}", channel=channel)


def day(settings: GuildSettings) -> str:
    """Return the line that says where and when the message about Today's five comes, and which role it pings."""
    post = settings.day_post
    if post is None:
        return _("Today's five · {channel}", channel=_("**off**"))
    line = _("Today's five · <#{channel}> · {time} UTC", channel=post.channel, time=f"{post.hour:02}:05")
    return listed((line, _("pings <@&{role}>", role=post.role))) if post.role is not None else line


def zone(zone: str) -> str:
    """Return the line about the time zone: as it is typed, and its name in the reader's language."""
    name = zone_name(zone)
    if name == zone:
        return _("Time zone · **{zone}**", zone=zone)
    return _("Time zone · **{zone}** ({name})", zone=zone, name=name)
