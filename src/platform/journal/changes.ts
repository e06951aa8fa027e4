import { Type } from 'typebox';

/** What became of the members that an act changed: each from what to what, left out where there was no value. */
export const changes = Type.Record(Type.String(), Type.Object({ from: Type.Optional(Type.Unknown()), to: Type.Optional(Type.Unknown()) }));
export type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** The members of two states that differ, as an entry of the journal says them. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const differing = Object.keys(after).filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
  const value = (key: 'from' | 'to', given: unknown) => (given === undefined || given === null ? {} : { [key]: given });
  return Object.fromEntries(differing.map((member) => [member, { ...value('from', before[member]), ...value('to', after[member]) }]));
}
