import { createDocument } from '#documents';
import { createSubmittedRecord } from '#registries';
import { requestDocument } from '#issued-documents';
import { createFromTemplate, startWorkflow, type TemplateState } from '#workflows';
import { resolveText } from '#fields';
import { databaseProblem, isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import { refusalOf } from '../../../platform/limits/quotas.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import type { FormBinding } from '../form-binding.ts';
import { localesOf } from '../definition.ts';
import type { Definition } from '../schemas.ts';
import { interfacesBehindBarriers } from '../queries.ts';
import { requireSeen } from '../template.ts';
import { requireScopeFor, type UsedBy, actionGrantor } from '../submission-actions.ts';
import type { Submitting } from './context.ts';
import type { EffectRow } from './queries.ts';
import { firstCharacters } from '../../../platform/text.ts';

/** What something is to follow from. */
export type Source = {
  id: string;
  interfaceId: string;
  definition: Definition;
  /** What the version has of registries. */
  bindings: readonly FormBinding[];
  /** What was answered. */
  values: Record<string, unknown>;
  /** By whose right it is done: see `usesGiver`. */
  usedBy: Omit<UsedBy, 'id'>;
  /** The folder in which the answers live now: an earlier version may have named one outside of the barrier that they are behind now. */
  folderId: string | null;
  at: Date;
};

/** What may follow from a submission; each is done in this order, and one may need what another has made. */
export const effectKinds = ['document', 'workflow', 'record'] as const;
export type EffectKind = (typeof effectKinds)[number];

const follows: Record<EffectKind, (config: Definition['config']) => boolean> = {
  document: ({ createsDocument }) => createsDocument === true,
  workflow: ({ startsTemplate }) => startsTemplate !== undefined,
  record: ({ bindsRegistryTypeId }) => bindsRegistryTypeId !== undefined,
};

/** What the PDF of a submission is kept as. */
export const documentOf = (submission: string) => ({ kind: 'submission', about: submission });

/** Has the PDF with the answers made once this is committed. */
export function askForDocument(scope: Pick<Scope, 'db' | 'team'>, submission: string): EffectRow {
  const id = requestDocument(scope, documentOf(submission));
  return { kind: 'pdf', status: 'waiting', result_id: id, code: null, detail: null };
}

/** What a definition says is to follow. */
export function effectsOf({ config }: Pick<Definition, 'config'>): EffectKind[] {
  return effectKinds.filter((kind) => follows[kind](config));
}

/**
 * Does what is to follow from a submission, each by itself: one that is refused is kept as failed, and the submission stands. `made` is
 * what was done before, when it is tried again.
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

/** The member of a definition that has each of them follow. */
const usedBy = { document: 'createsDocument', workflow: 'startsTemplate', record: 'bindsRegistryTypeId' } as const;

type Attempt = { kind: EffectKind; grantor: Actor | undefined; work: (scope: Scope) => Promise<string> };

async function attempt({ log }: Pick<Submitting, 'log'>, scope: Scope, { kind, grantor, work }: Attempt): Promise<EffectRow> {
  const failed = (code: string, detail: string): EffectRow => ({ kind, status: 'failed', result_id: null, code, detail });
  if (!grantor)
    return failed(
      'forbidden',
      'The member who configured this effect can no longer read submissions of this form. Ask a member with that right to publish the form again.',
    );
  try {
    requireScopeFor(grantor, usedBy[kind]);
    // The journal names the visitor, by whose act it is done; what they may is what the giver may.
    const made = await scope.db.attempt((db) => work({ ...scope, db, actor: grantor, recordedAs: scope.actor }));
    return { kind, status: 'done', result_id: made, code: null, detail: null };
  } catch (error) {
    // What is away for a moment is away for all of it: the whole is sent again.
    if (isDatabaseUnavailable(error)) throw error;
    const problem = refusalOf(error) ?? databaseProblem(error);
    if (problem) return failed(problem.code, problem.detail);
    log.error({ err: error, kind, request: scope.requestId }, 'an effect of a submission has failed');
    return failed('internal_error', 'The service failed while it did this. Try it again; if it keeps failing, report it to the operator.');
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
    // Without a document of ours it is about the submission, by its identifier, of which workflows do not know that it lives behind a barrier.
    const document = made.get('document');
    const documentId = document ?? source.id;
    const [barred] =
      document === undefined ? await scope.db.all(interfacesBehindBarriers, { team: scope.team, ids: [source.interfaceId] }) : [];
    const name = titleOf(source, barred?.id);
    const seen = { form: source.interfaceId, name: startsTemplate, grantor: scope.actor };
    const accept = (state: TemplateState) => requireSeen(scope, seen, state);
    const { value } = await createFromTemplate(scope, startsTemplate, { documentId, name }, accept);
    await startWorkflow(scope, value.id);
    return value.id;
  },

  async record(scope, { id: submissionId, definition, bindings, values }) {
    const { bindsRegistryPending: pending = false } = definition.config;
    const binding = bindings.find(({ written }) => written !== null);
    if (!binding) throw new Error('a version that makes records says where');
    const data = Object.fromEntries(
      Object.entries(binding.written ?? {}).flatMap(([to, from]) => (values[from] === undefined ? [] : [[to, values[from]]])),
    );
    return createSubmittedRecord(scope, { ...binding, submissionId, data, pending });
  },
};

/** What a document or workflow of a submission is called: no answers, since more people read titles. `called` stands for the title of the form. */
function titleOf({ definition: { title, publicSettings }, at, id }: Source, called?: string): string {
  const [locale] = localesOf({ publicSettings });
  const when = at.toISOString().slice(0, 16).replace('T', ' ');
  const name = (called ?? resolveText(title, locale, locale)).replaceAll('/', '-').replaceAll(/\s+/g, ' ');
  return `${firstCharacters(name, 200)}, ${when}, ${id.slice(-8)}`;
}
