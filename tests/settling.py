"""simcord's question whether the bot has come to rest, answered sooner, and its records, which leave no garbage.

Every few milliseconds simcord asks it of each task of the bot, and for each looks through all timers of the bot: a
quarter of the processor time of tests in which hours pass. A task that was found asleep sleeps until its timer is due.
"""

from __future__ import annotations

import asyncio
import copy
import marshal
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary, ref

from simcord import Env, _dpy_internals, _runtime, _settlement, components, env, gateway, results
from simcord.http import router

_ASLEEP, _LOOP = "sleep timer beyond settlement deadline", "discord.ext.tasks loop interval"
#: What wakes each sleeper, and each loop of discord.py between two rounds: simcord's record of the timer.
_timers: WeakKeyDictionary[asyncio.Future[Any], Any] = WeakKeyDictionary()
_intervals: WeakKeyDictionary[asyncio.Future[Any], Any] = WeakKeyDictionary()
_park_reason, _recognized_wait = _settlement._park_reason, _settlement._recognized_wait
_timer_records_waking = _settlement._timer_records_waking


def _timer_of(state: Any, waiter: asyncio.Future[Any]) -> Any:
    """Return simcord's record of the timer that ends a sleep, or None if it keeps none."""
    for record in state.work.callbacks:
        if record.when is not None and record.handle is not None:
            callback = _dpy_internals._original_callback(record.handle._callback)
            woken = any(arg is waiter for arg in record.handle._args or ())
            if woken and getattr(callback, "__name__", "") == "_set_result_unless_cancelled":
                return record
    return None


def _sleeps(waiter: Any) -> bool:
    return waiter is not None and waiter in _timers and not waiter.done() and not _timers[waiter].handle.cancelled()


def park_reason(state: Any, task: asyncio.Task[Any], deadline: float, seen: set[int] | None = None) -> str | None:
    """Say why a task may be left waiting, or None, as simcord does."""
    waiter: Any = getattr(task, "_fut_waiter", None)
    if _sleeps(waiter) and _settlement._callback_fire_time(state, _timers[waiter]) > deadline:
        return _ASLEEP
    if waiter in _intervals and not waiter.done() and timer_records_waking(state, task, waiter):
        return _LOOP
    reason = _park_reason(state, task, deadline, seen)
    if reason == _ASLEEP and (timer := _timer_of(state, waiter)) is not None:
        _timers[waiter] = timer
    if reason == _LOOP:
        (_intervals[waiter],) = _timer_records_waking(state, task, waiter)
    return reason


def timer_records_waking(state: Any, task: asyncio.Task[Any], waiter: Any) -> list[Any]:
    """Return the records of the timers that wake a task, as simcord does."""
    if waiter is None or (record := _intervals.get(waiter)) is None:
        return _timer_records_waking(state, task, waiter)
    return [] if record.handle is None or record.handle.cancelled() or record.when <= state.virtual_time else [record]


def recognized_wait(state: Any, task: asyncio.Task[Any], waiter: Any) -> bool:
    """Say whether a task waits for somebody's action, as simcord does; a sleeper does not."""
    return not _sleeps(waiter) and _recognized_wait(state, task, waiter)


class Record(_runtime._CallbackRecord):
    """simcord's record of a callback, without a cycle: its handle leads back to it. Garbage took a sixth of the time.

    The event loop holds the handle of a callback that is due; nobody else holds that of a timer.
    """

    # A record leaves a list of all that wait: it is itself, and need not be compared with them field by field.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def handle(self) -> Any:
        return self._handle() if isinstance(self._handle, ref) else self._handle

    @handle.setter
    def handle(self, handle: Any) -> None:
        self._handle = ref(handle) if type(handle) is asyncio.Handle else handle


def copied(value: Any) -> Any:
    """Return a copy of what Discord sends or is sent: mostly JSON, which marshal copies ten times as fast."""
    try:
        return marshal.loads(marshal.dumps(value))
    except ValueError:  # it holds something else
        return copy.deepcopy(value)


def quicken() -> None:
    """Let simcord look more often whether the bot has come to rest, find sleepers at once, and copy JSON fast."""
    assert env._is_parked is _settlement._is_parked, "simcord asks elsewhere"
    defaults = Env._settle_internal.__kwdefaults__ or {}
    assert "idle" in defaults
    defaults["idle"] = 0.005  # its own 0.05 is a third of the time of all tests
    _runtime._CallbackRecord = Record  # type: ignore[misc]
    _settlement._park_reason, _settlement._recognized_wait = park_reason, recognized_wait
    _settlement._timer_records_waking = timer_records_waking
    for module in router, gateway:
        module.copy = SimpleNamespace(deepcopy=copied)  # type: ignore[attr-defined]
    for module in components, results:
        module.deepcopy = copied  # type: ignore[attr-defined]
