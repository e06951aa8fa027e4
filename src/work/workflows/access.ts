import { can } from '#access';
import type { Actor } from '../../platform/scope.ts';
import type { TemplateRow } from './template-queries.ts';
import type { WorkflowRow } from './queries.ts';

type WorkflowFacts = Pick<WorkflowRow, 'owner_id' | 'emergency'>;
const ownerOf = (actor: Actor, owner: string | null) => ('id' in actor && actor.id === owner ? ['owner'] : []);

/** The person or API client whose workflows a list shows. Null for all workflows of the team. */
export const listedFor = (actor: Actor): string | null =>
  'id' in actor && !can(actor, 'workflow', 'view', { relations: [] }) ? actor.id : null;

/** Whether the actor may change, start, pause, cancel and delete a workflow. */
export const mayEdit = (actor: Actor, { owner_id: owner, emergency = false }: WorkflowFacts): boolean =>
  can(actor, 'workflow', 'edit', { relations: ownerOf(actor, owner), outsider: emergency });

/** Whether the actor may cancel a workflow. `ownsDocument`: it runs on a document of the actor. */
export const mayCancel = (actor: Actor, { emergency = false }: WorkflowFacts, ownsDocument: boolean): boolean =>
  can(actor, 'workflow', 'cancel', { relations: [], from: { about: ownsDocument ? ['owner'] : [] }, outsider: emergency });

export const mayCreate = (actor: Actor, type: 'workflow' | 'workflow_template' = 'workflow'): boolean =>
  can(actor, type, 'create', { relations: [] });

/** Whether the actor may read the templates of the team. Guests and confined API clients read the built-in ones only. */
export const mayReadTemplates = (actor: Actor): boolean => can(actor, 'workflow_template', 'view', { relations: [] });

export const mayManageTemplate = (actor: Actor, { owner_id: owner }: Pick<TemplateRow, 'owner_id'>): boolean =>
  can(actor, 'workflow_template', 'manage', { relations: ownerOf(actor, owner) });
