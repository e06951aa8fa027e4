import { groupNames, type ResourceName } from '#access';
import { usersNamed } from '#accounts';
import { agentNames } from '#agents';
import { clientsNamed } from '#clients';
import { documentNames } from '#documents';
import { templateNames } from '#document-templates';
import { folderNames } from '#folders';
import { interfaceNames } from '#forms';
import { registryNames } from '#registries';
import { requestNames } from '#signatures';
import { taskNames } from '#tasks';
import { workflowNames } from '#workflows';
import { type AccessContext, isTeamManager } from '../../platform/scope.ts';

/** A type of resources. `names` returns the names of those that the actor may view, by the rules of their read operation. */
export type Kind = {
  /** The scope of the read operation. */
  scope: string;
  names: (scope: AccessContext, ids: readonly string[]) => Promise<(Pick<ResourceName, 'id'> & { name: string | null })[]>;
};

/** All types of resources with a name. */
export const kinds = {
  user: { scope: 'team:read', names: ({ db, team }, ids) => db.all(usersNamed, { team, ids }) },
  group: { scope: 'team:read', names: groupNames },
  client: {
    scope: 'team:read',
    // As for the list of API clients: members without the right to manage the team read none.
    names: async ({ db, team, actor }, ids) => (actor.type === 'user' && !isTeamManager(actor) ? [] : db.all(clientsNamed, { team, ids })),
  },
  folder: { scope: 'folders:read', names: folderNames('folder') },
  matter: { scope: 'matters:read', names: folderNames('matter') },
  document: { scope: 'documents:read', names: documentNames },
  documentTemplate: { scope: 'documents:read', names: templateNames },
  workflow: { scope: 'workflows:read', names: workflowNames },
  task: { scope: 'tasks:read', names: taskNames },
  signature: { scope: 'signatures:read', names: requestNames },
  interface: { scope: 'interfaces:read', names: interfaceNames },
  registry: { scope: 'registries:read', names: registryNames },
  agent: { scope: 'agents:read', names: agentNames },
} as const satisfies Record<string, Kind>;
