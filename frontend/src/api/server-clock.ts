/** How far the device's clock is behind the server's, in milliseconds. */
let behind = 0;

/**
 * A `Date` header has whole seconds and is delayed on the way: smaller differences mean nothing.
 */
const coarse = 3000;

export function noteServerTime(header: string | null, now = Date.now()) {
  const there = header ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(there)) return;
  behind = Math.abs(there - now) > coarse ? there - now : 0;
}

/** The current time on the server's clock, which decides when something has ended. */
export function serverNow(): number {
  return Date.now() + behind;
}

/** Today, and this month, whatever the device takes them for. */
export const serverDate = () => new Date(serverNow());
