/** `Asia/Shanghai`, as this device is set. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** `Asia/Shanghai GMT+08:00`: the server's days and months are those of this zone. */
export function timeZoneHeader(now = new Date()): string {
  const minutes = -now.getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  const two = (n: number) => String(n).padStart(2, '0');
  const offset = Math.abs(minutes);
  return `${zoneName()} GMT${sign}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
}
