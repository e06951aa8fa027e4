import type { EmergencyAccess, FolderBarrier } from '@chancery/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api.ts';
import { ApiProblem } from '../../problems/api-problem.ts';

/** The folder or matter of a barrier. */
export type BarrierPlace = { type: 'folder' | 'matter'; id: string; name: string };
export type BarrierState = Omit<FolderBarrier, 'folderId'>;

const folderPath = '/api/v1/smartdoc/folders/{id}/barrier';
const matterPath = '/api/v1/matters/{id}/barrier';
const at = (id: string) => ({ params: { path: { id } } });

/** Time after which the progress of a job is read again. */
const progressMs = 3_000;

/** Returns null if there is no barrier. */
async function readBarrier({ type, id }: BarrierPlace): Promise<BarrierState | null> {
  try {
    return await ok<BarrierState>(type === 'matter' ? api.GET(matterPath, at(id)) : api.GET(folderPath, at(id)));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** The barrier on a folder or matter; null without one. */
export const useBarrier = (place: BarrierPlace): UseQueryResult<BarrierState | null> =>
  useQuery({
    queryKey: [place.type, place.id, 'barrier'],
    queryFn: () => readBarrier(place),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'active' ? progressMs : false),
  });

export const putBarrier = ({ type, id }: BarrierPlace, body: { userIds: string[]; groupIds: string[] }): Promise<unknown> =>
  ok<BarrierState>(type === 'matter' ? api.PUT(matterPath, { ...at(id), body }) : api.PUT(folderPath, { ...at(id), body }));

export const liftBarrier = ({ type, id }: BarrierPlace): Promise<unknown> =>
  ok(type === 'matter' ? api.DELETE(matterPath, at(id)) : api.DELETE(folderPath, at(id)));

const maxGroupMembers = 500;

async function readInside({ userIds, groupIds }: BarrierState): Promise<Set<string>> {
  const groups = groupIds.map((id) =>
    ok(api.GET('/api/v1/groups/{id}/members', { params: { path: { id }, query: { limit: maxGroupMembers } } })),
  );
  return new Set([...userIds, ...(await Promise.all(groups)).flat().map(({ userId }) => userId)]);
}

async function readExcluded({ type, id }: BarrierPlace, barrier: BarrierState): Promise<string[]> {
  if (type === 'folder') {
    const { grants } = await ok(api.GET('/api/v1/smartdoc/folders/{id}/access', at(id)));
    return [...new Set(grants.flatMap(({ barred, userId }) => (barred && userId !== undefined ? [userId] : [])))];
  }
  const [{ grants }, inside] = await Promise.all([ok(api.GET('/api/v1/matters/{id}/access', at(id))), readInside(barrier)]);
  return [...new Set(grants.flatMap(({ userId }) => (userId === undefined || inside.has(userId) ? [] : [userId])))];
}

/** The people outside the barrier with a share, a role or ownership. */
export const useExcluded = (place: BarrierPlace, barrier: BarrierState): UseQueryResult<string[]> =>
  useQuery({
    queryKey: [place.type, place.id, 'excluded', barrier.userIds, barrier.groupIds],
    queryFn: () => readExcluded(place, barrier),
    retry: false,
  });

/** The requests for emergency access, the newest first. */
export const useEmergencyAccess = (id: string): UseQueryResult<EmergencyAccess[]> =>
  useQuery({
    queryKey: ['folder', id, 'emergency'],
    queryFn: () => ok(api.GET('/api/v1/barriers/{id}/emergency-access', at(id))),
    retry: false,
  });
