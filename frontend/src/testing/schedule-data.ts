/** Of a plan that is shown at once, at all hours. */
export const atAllHours = {
  begins_at: null,
  ends_at: null,
  hours: null,
  hours_zone: null,
  opens_at: null,
};
