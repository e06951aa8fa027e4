import { folderProblems, mayRelocate, moveFrom, notYours, type OpenPlace, readableFolder } from '#folders';
import { problems } from '../platform/problems.ts';
import type { Scope } from '../platform/scope.ts';
import type { InterfaceAccess } from './policy.ts';
import type { InterfaceRow } from './queries.ts';
import type { Definition } from './schemas.ts';

type Config = Definition['config'];

/** What of a definition says where answers go, and who hears of them. */
const goesTo = ({ folderId, notify = [], createsDocument = false, startsTemplate, bindsRegistryTypeId }: Config): string =>
  JSON.stringify([folderId, notify, createsDocument, startsTemplate, bindsRegistryTypeId]);

export const sameDestination = (before: Config, after: Config): boolean => goesTo(before) === goesTo(after);

/** Where answers go is said by who may read them: anybody else could have them come to themself. Errors: 403. */
export function requireDestination({ submissions }: InterfaceAccess, before: Config, after: Config): void {
  if (submissions === 'write' || sameDestination(before, after)) return;
  throw problems.forbidden(
    'Where answers go, and who is told of them, is changed by those who may read what is answered: its owner, administrators that no wall keeps out, and editors who were given the answers too.',
  );
}

/** Answers stay behind the wall that they came behind, unless the owner of its folder, inside, takes them out. Errors: 403, 404. */
export async function refuseLeavingWall(scope: Scope, row: InterfaceRow, place: OpenPlace): Promise<void> {
  if (row.published_version === null || row.folder_id === null || row.folder_id === place.parent || !row.walled) return;
  const { folder, access } = await readableFolder(scope, row.folder_id);
  const move = moveFrom(folder, place.parent === null ? 'the top' : place);
  if (move.leavesWall && !mayRelocate(access, move)) throw notYours();
}

/** What was answered behind a wall is ended by nobody outside of it. Errors: 403 `folder_walled`. */
export function requireInside({ submissions }: InterfaceAccess): void {
  if (submissions !== 'walled') return;
  throw folderProblems.folder_walled('The answers stand behind a wall that you are outside of: somebody inside ends this interface.');
}
