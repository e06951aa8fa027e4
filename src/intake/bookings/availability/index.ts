/** Computes the slots of a calendar as a pure function of its rules, the time and the occupied times, without a database. */
export { peaks, stepsOf, within } from './occupied.ts';
export { type Hours, minutesOf, type OpeningHours, openings, type Span, weekdays } from './opening-hours.ts';
export { presentSlots } from './present.ts';
export { instantOf, onlyAt, type TimeRange, rangeOf } from './range.ts';
export { blockOf, maxSlotsIn, type Slot, type SlotRules, slotsIn } from './slots.ts';
export { dateOf, dayMs, dayOf, localDay, minuteMs, segmentsOf } from './zone.ts';
