/** Notices that nothing has happened for a while. */
export interface SilenceTimer {
  /** Something happened. */
  touch(): void;
  stop(): void;
}

/**
 * Calls `act` after `ms` milliseconds without a `touch`, and again after each further `ms` of silence; 0 means never.
 * A touch only notes the time, so a stream of small deltas sets no timers: one is armed at any moment.
 */
export function createSilenceTimer(ms: number, act: () => void): SilenceTimer {
  let last = Date.now();
  let timer = ms > 0 ? setTimeout(check, ms) : undefined;

  function check() {
    const left = last + ms - Date.now();
    timer = setTimeout(check, left > 0 ? left : ms);
    if (left > 0) return;
    last = Date.now();
    act();
  }

  return {
    touch() {
      last = Date.now();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
