const minute = 60;
const hour = 60 * minute;

/** How long to wait, in seconds, as it is said: in minutes, or in hours where those would be many. */
export function waitingTime(seconds: number) {
  return seconds > 2 * hour
    ? { inHours: true, count: Math.ceil(seconds / hour) }
    : { inHours: false, count: Math.max(1, Math.ceil(seconds / minute)) };
}
