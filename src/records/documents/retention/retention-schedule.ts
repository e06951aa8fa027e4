import { dayIn, endOfDay } from '../dates/calculate.ts';

export const actions = ['keep', 'review', 'delete'] as const;
export type Action = (typeof actions)[number];
export const bases = ['created', 'updated', 'expires'] as const;
export type Base = (typeof bases)[number];

type PlainDate = Temporal.PlainDate;

/** A retention rule for calculations. */
export type Rule = {
  folder: string;
  action: Action;
  after: string;
  from: Base;
  /**
   * `effectiveFrom`: when the rule becomes active. `endsAt`: when a removed rule ends. Before `effectiveFrom`, and between the removal and `endsAt`,
   * no covered document is deleted.
   */
  effectiveFrom: Date;
  endsAt: Date | null;
};

/** The times of a document from which rules count. */
export type Counted = { createdAt: Date; updatedAt: Date; expiresAt: string | null; renewsItself: boolean };

/** Whether a rule is active at a time. */
export const isActing = ({ effectiveFrom, endsAt }: Pick<Rule, 'effectiveFrom' | 'endsAt'>, now: Date): boolean =>
  effectiveFrom <= now && endsAt === null;

/** The action of the rule that keeps a document longest. Without `on`, the action is never due, as for a document that renews itself. */
export type Disposition = { rule: Rule; on?: PlainDate };

/**
 * Returns the action for a document: the rule with the latest end applies. If several end on the same day, `keep` precedes `review`, and `review`
 * precedes `delete`. A rule that counts from the expiry ignores documents without an expiry, and is never due for a document that renews itself.
 * Returns undefined if no rule covers the document.
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

/** Returns the latest start day for which the period has elapsed by today. */
export function lastDayBefore(today: PlainDate, after: string): PlainDate {
  const hasElapsed = (from: PlainDate) => Temporal.PlainDate.compare(from.add(after), today) <= 0;
  // Months are clamped, so several start days can give the same end.
  let day = today.subtract(after);
  while (hasElapsed(day.add({ days: 1 }))) day = day.add({ days: 1 });
  while (!hasElapsed(day)) day = day.subtract({ days: 1 });
  return day;
}

/**
 * The latest start from which a document is due, as a time and as a day. It is calculated in the team’s time zone, so that the database only
 * compares.
 */
export function dueBy(rule: Rule, now: Date, timeZone: string): { before: Date; day: string } {
  const day = lastDayBefore(dayIn(timeZone, now), rule.after);
  return { before: endOfDay(day, timeZone), day: day.toString() };
}

/** Whether a rule deletes no document earlier than the previous rule. Such a change needs no waiting period. */
export function isNoShorter(
  now: Pick<Rule, 'action' | 'after' | 'from'>,
  before: Pick<Rule, 'action' | 'after' | 'from'>,
  today: PlainDate,
): boolean {
  if (now.from !== before.from || (now.action !== before.action && now.action !== 'keep')) return false;
  return Temporal.PlainDate.compare(today.add(now.after), today.add(before.after)) >= 0;
}
