import { Type } from 'typebox';

/** The changed members of an action, each with its old and new value. If a member had or has no value, `from` or `to` is absent. */
export const changes = Type.Record(Type.String(), Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }));
export type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** Returns the differences between two states for a journal entry. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const differing = Object.keys(after).filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
  const value = (key: 'from' | 'to', given: unknown) => (given === undefined || given === null ? {} : { [key]: given });
  return Object.fromEntries(differing.map((member) => [member, { ...value('from', before[member]), ...value('to', after[member]) }]));
}
