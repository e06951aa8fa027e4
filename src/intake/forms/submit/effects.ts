import { createDocument } from '#documents';
import { createSubmittedRecord } from '#registries';
import { requestDocument } from '#issued-documents';
import { createFromTemplate, setWorkflowLocale, startWorkflow, type TemplateState } from '#workflows';
import { databaseProblem, isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import { refusalOf } from '../../../platform/limits/quotas.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import type { FormBinding } from '../form-binding.ts';
import type { Definition } from '../schemas.ts';
import { interfacesBehindBarriers } from '../queries.ts';
import { titleOf } from '../submission-title.ts';
import { requireSeen } from '../template.ts';
import { requireScopeFor, type UsedBy, actionGrantor } from '../submission-actions.ts';
import type { Submitting } from './context.ts';
import * as queries from './queries.ts';
import type { EffectRow } from './queries.ts';

/** The submission that effects follow from. */
export type Source = {
  id: string;
  interfaceId: string;
  definition: Definition;
  /** The registry bindings of the version. */
  bindings: readonly FormBinding[];
  values: Record<string, unknown>;
  /** The members whose rights apply: see {@link actionGrantor}. */
  usedBy: Omit<UsedBy, 'id'>;
  /** The current folder of the answers. An earlier version may name a folder outside of their current barrier. */
  folderId: string | null;
  at: Date;
};

/** The effects (follow-up actions) of a submission in their order. A later effect can use the result of an earlier one. */
export const effectKinds = ['document', 'workflow', 'record'] as const;
export type EffectKind = (typeof effectKinds)[number];

const follows: Record<EffectKind, (config: Definition['config']) => boolean> = {
  document: ({ createsDocument }) => createsDocument === true,
  workflow: ({ startsTemplate }) => startsTemplate !== undefined,
  record: ({ bindsRegistryTypeId }) => bindsRegistryTypeId !== undefined,
};

/** Returns the identification of the PDF of a submission. */
export const documentOf = (submission: string) => ({ kind: 'submission', about: submission });

/** Requests the PDF with the answers. The job creates it after the commit. */
export function askForDocument(scope: Pick<Scope, 'db' | 'team'>, submission: string): EffectRow {
  const id = requestDocument(scope, documentOf(submission));
  return { kind: 'pdf', status: 'waiting', result_id: id, code: null, detail: null };
}

/** Returns the effects that a definition enables. */
export function effectsOf({ config }: Pick<Definition, 'config'>): EffectKind[] {
  return effectKinds.filter((kind) => follows[kind](config));
}

/**
 * Runs the effects of a submission separately. A rejected effect is stored as failed, and the submission still succeeds. `made` has
 * the results of earlier attempts.
 */
export async function carryOut(
  context: Pick<Submitting, 'log'>,
  scope: Scope,
  source: Source,
  { kinds, made = new Map() }: { kinds: readonly EffectKind[]; made?: ReadonlyMap<string, string> },
): Promise<EffectRow[]> {
  if (kinds.length === 0) return [];
  const grantor = await actionGrantor(scope, { id: source.interfaceId, ...source.usedBy });
  const results = new Map(made);
  const rows: EffectRow[] = [];
  for (const kind of kinds) {
    const row = await attempt(context, scope, { kind, grantor, work: (inner) => effects[kind](inner, source, results) });
    if (row.result_id !== null) results.set(kind, row.result_id);
    rows.push(row);
  }
  return rows;
}

/** The setting that enables each effect. */
const usedBy = { document: 'createsDocument', workflow: 'startsTemplate', record: 'bindsRegistryTypeId' } as const;

type EffectAttempt = { kind: EffectKind; grantor: Actor | undefined; work: (scope: Scope) => Promise<string> };

async function attempt({ log }: Pick<Submitting, 'log'>, scope: Scope, { kind, grantor, work }: EffectAttempt): Promise<EffectRow> {
  const failed = (code: string, detail: string): EffectRow => ({ kind, status: 'failed', result_id: null, code, detail });
  if (!grantor)
    return failed(
      'forbidden',
      'The member who configured this follow-up action can no longer read submissions of this form. Ask a member with that right to publish the form again.',
    );
  try {
    requireScopeFor(grantor, usedBy[kind]);
    // Uses the rights of the grantor. The journal records the visitor as the actor.
    const made = await scope.db.attempt((db) => work({ ...scope, db, actor: grantor, recordedAs: scope.actor }));
    return { kind, status: 'done', result_id: made, code: null, detail: null };
  } catch (error) {
    // If the database is unavailable, fail the whole request so that the client retries it.
    if (isDatabaseUnavailable(error)) throw error;
    const problem = refusalOf(error) ?? databaseProblem(error);
    if (problem) return failed(problem.code, problem.detail);
    log.error({ err: error, kind, request: scope.requestId }, 'an effect of a submission failed');
    return failed('internal_error', 'Internal error. Retry the submission; if it fails again, contact the operator.');
  }
}

type Effect = (scope: Scope, source: Source, made: ReadonlyMap<string, string>) => Promise<string>;

const effects: Record<EffectKind, Effect> = {
  async document(scope, source) {
    const { id: submissionId, interfaceId, folderId } = source;
    const made = { title: titleOf(source), metadata: { interfaceId, submissionId }, ...(folderId === null ? {} : { folderId }) };
    const { value } = await createDocument(scope, made, undefined);
    return value.id;
  },

  async workflow(scope, source, made) {
    const { startsTemplate = '' } = source.definition.config;
    // Without a document, the workflow refers to the submission by its identifier. Workflows cannot tell that a barrier protects it.
    const document = made.get('document');
    const documentId = document ?? source.id;
    const [barred] =
      document === undefined ? await scope.db.all(interfacesBehindBarriers, { team: scope.team, ids: [source.interfaceId] }) : [];
    const name = titleOf(source, barred?.id);
    const seen = { form: source.interfaceId, name: startsTemplate, grantor: scope.actor };
    const accept = (state: TemplateState) => requireSeen(scope, seen, state);
    const { value } = await createFromTemplate(scope, startsTemplate, { documentId, name, submissionId: source.id }, accept);
    const locale = (await scope.db.first(queries.localeOfSubmission, { team: scope.team, id: source.id }))?.locale;
    if (locale != null) setWorkflowLocale(scope, value.id, locale);
    await startWorkflow(scope, value.id);
    return value.id;
  },

  async record(scope, { id: submissionId, definition, bindings, values }) {
    const { bindsRegistryPending: pending = false } = definition.config;
    const binding = bindings.find(({ written }) => written !== null);
    if (!binding) throw new Error('a version that creates records has no registry binding');
    const data = Object.fromEntries(
      Object.entries(binding.written ?? {}).flatMap(([to, from]) => (values[from] === undefined ? [] : [[to, values[from]]])),
    );
    return createSubmittedRecord(scope, { ...binding, submissionId, data, pending });
  },
};
