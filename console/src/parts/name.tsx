import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../api.ts';
import { useClaims } from '../session/use-session.ts';
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/texts.ts';

type ResourceName = Awaited<ReturnType<typeof readNames>>['names'][number];
const readNames = (ids: string[]) => ok(api.POST('/api/v1/names', { body: { ids } }));

/** The most identifiers of one request. */
const maxIds = 200;
/** Time in which the names of one screen become one request. */
const batchMs = 10;

type Waiting = { id: string; resolve: (name: ResourceName | null) => void; reject: (error: unknown) => void };
let waiting: Waiting[] = [];

/** Looks up the names that some callers wait for. */
async function lookUp(some: readonly Waiting[]): Promise<void> {
  try {
    const { names } = await readNames(some.map(({ id }) => id));
    const known = new Map(names.map((one) => [one.id, one]));
    for (const { id, resolve } of some) resolve(known.get(id) ?? null);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

function sendBatch(): void {
  const batch = waiting;
  waiting = [];
  for (let from = 0; from < batch.length; from += maxIds) void lookUp(batch.slice(from, from + maxIds));
}

/** Returns the type and name of a resource or person; null if the person may not know it. All names of a screen are one request. */
export function readName(id: string): Promise<ResourceName | null> {
  if (waiting.length === 0) setTimeout(sendBatch, batchMs);
  return new Promise((resolve, reject) => {
    waiting.push({ id, resolve, reject });
  });
}

export const useName = (id: string | undefined) =>
  useQuery({ queryKey: ['name', id], queryFn: () => readName(id ?? ''), enabled: id !== undefined, staleTime: 300_000 });

/** The name of a person or resource. `isMember`: the person belongs to the team, also if the reader may not see the name, as a guest. */
export function Name({ id, isMember = false }: { id: string | undefined; isMember?: boolean }): JSX.Element {
  const words = useTexts(commonTexts);
  const mayReadNames = useClaims().scopes.has('team:read');
  const { data, isPending } = useName(id);
  if (id !== undefined && isPending) return <span className="soft">…</span>;
  if (data?.left) return <span className="soft">{words.formerPerson}</span>;
  return data?.name === undefined ? (
    <span className="soft">{isMember && !mayReadNames ? words.memberOfTeam : words.unknownPerson}</span>
  ) : (
    <span>{data.name}</span>
  );
}
