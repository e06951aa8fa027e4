import { dayIn, endOfDay } from '../dates/reckon.ts';

export const actions = ['keep', 'review', 'delete'] as const;
export type Action = (typeof actions)[number];
export const bases = ['created', 'updated', 'expires'] as const;
export type Base = (typeof bases)[number];

type PlainDate = Temporal.PlainDate;

/** What a rule says, as it is reckoned with. */
export type Rule = {
  folder: string;
  action: Action;
  after: string;
  from: Base;
  /** Since when it acts; until then, and from when it was removed until that takes effect, nothing that it covers goes. */
  effectiveFrom: Date;
  endsAt: Date | null;
};

/** What a document is counted from. */
export type Counted = { createdAt: Date; updatedAt: Date; expiresAt: string | null; renewsItself: boolean };

/** Whether a rule acts at a time. */
export const isActing = ({ effectiveFrom, endsAt }: Pick<Rule, 'effectiveFrom' | 'endsAt'>, now: Date): boolean =>
  effectiveFrom <= now && endsAt === null;

/** What is decided on a document: by the rule that keeps it longest. Without `on` it comes never, as of what renews itself. */
export type Disposition = { rule: Rule; on?: PlainDate };

/**
 * What becomes of a document by the rules that cover it: the longest wins, and of those that end on one day the milder. A rule that counts
 * from the end of a document does not cover one that has none, and never comes for one that renews itself. Undefined where no rule covers it.
 */
export function dispositionOf(rules: readonly Rule[], counted: Counted, timeZone: string): Disposition | undefined {
  const fates = rules.flatMap((rule): Disposition[] => {
    const from = countedFrom(rule.from, counted, timeZone);
    if (from === 'nothing') return [];
    return [from === 'never' ? { rule } : { rule, on: from.add(rule.after) }];
  });
  return fates.toSorted(longestFirst)[0];
}

function longestFirst(a: Disposition, b: Disposition): number {
  if (!a.on || !b.on) return Number(Boolean(a.on)) - Number(Boolean(b.on));
  return Temporal.PlainDate.compare(b.on, a.on) || actions.indexOf(a.rule.action) - actions.indexOf(b.rule.action);
}

function countedFrom(base: Base, counted: Counted, timeZone: string): PlainDate | 'never' | 'nothing' {
  if (base === 'created') return dayIn(timeZone, counted.createdAt);
  if (base === 'updated') return dayIn(timeZone, counted.updatedAt);
  if (counted.expiresAt === null) return 'nothing';
  return counted.renewsItself ? 'never' : Temporal.PlainDate.from(counted.expiresAt);
}

/** The last day from which a span is over today: later ones have time left. */
export function lastDayBefore(today: PlainDate, after: string): PlainDate {
  const hasElapsed = (from: PlainDate) => Temporal.PlainDate.compare(from.add(after), today) <= 0;
  // Months clamp, so that several days may come to one.
  let day = today.subtract(after);
  while (hasElapsed(day.add({ days: 1 }))) day = day.add({ days: 1 });
  while (!hasElapsed(day)) day = day.subtract({ days: 1 });
  return day;
}

/**
 * What a document has to be counted from for a rule to have come for it: as a time for those that count from a time, and as a day. The
 * zone is the team's; the database compares, and reckons with none.
 */
export function dueBy(rule: Rule, now: Date, timeZone: string): { before: Date; day: string } {
  const day = lastDayBefore(dayIn(timeZone, now), rule.after);
  return { before: endOfDay(day, timeZone), day: day.toString() };
}

/** Whether one rule lets go of nothing earlier than another: nobody has to be warned of it. */
export function isNoShorter(
  now: Pick<Rule, 'action' | 'after' | 'from'>,
  before: Pick<Rule, 'action' | 'after' | 'from'>,
  today: PlainDate,
): boolean {
  if (now.from !== before.from || (now.action !== before.action && now.action !== 'keep')) return false;
  return Temporal.PlainDate.compare(today.add(now.after), today.add(before.after)) >= 0;
}
