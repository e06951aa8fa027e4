import { can } from '#access';
import type { Actor } from '../../platform/scope.ts';
import type { TemplateRow } from './template-queries.ts';
import type { WorkflowRow } from './queries.ts';

type WorkflowFacts = Pick<WorkflowRow, 'owner_id' | 'emergency'>;
const ownerOf = (actor: Actor, owner: string | null) => ('id' in actor && actor.id === owner ? ['owner'] : []);

/** The person or program whose workflows a list shows. Null: all workflows of the team. */
export const listedFor = (actor: Actor): string | null =>
  'id' in actor && !can(actor, 'workflow', 'view', { relations: [] }) ? actor.id : null;

/** Whether the actor changes, starts, pauses, cancels and deletes a workflow. */
export const mayEdit = (actor: Actor, { owner_id: owner, emergency = false }: WorkflowFacts): boolean =>
  can(actor, 'workflow', 'edit', { relations: ownerOf(actor, owner), outsider: emergency });

/** Whether the actor cancels a workflow. `ownsDocument`: it runs on a document of theirs. */
export const mayCancel = (actor: Actor, { emergency = false }: WorkflowFacts, ownsDocument: boolean): boolean =>
  can(actor, 'workflow', 'cancel', { relations: [], from: { about: ownsDocument ? ['owner'] : [] }, outsider: emergency });

export const mayCreate = (actor: Actor, type: 'workflow' | 'workflow_template' = 'workflow'): boolean =>
  can(actor, type, 'create', { relations: [] });

export const mayManageTemplate = (actor: Actor, { owner_id: owner }: Pick<TemplateRow, 'owner_id'>): boolean =>
  can(actor, 'workflow_template', 'manage', { relations: ownerOf(actor, owner) });
