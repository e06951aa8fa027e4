import { nearestName } from '../../platform/http/known-members.ts';
import { type FieldError, fieldError } from '../../platform/problems.ts';
import { makingOf, nameOfMade } from './making.ts';
import type { TemplateStep } from './schemas.ts';

/** A document of a workflow that a form starts. `templateId`: the document template that it is made from. */
export type StartingDocument = { name: string; templateId?: string | undefined };

/** Returns the signers of a document template; undefined if they are unknown. */
export type SignersOf = (templateId: string) => Promise<readonly string[] | undefined>;

/**
 * Returns the errors of `signsAs` in the steps of a template: a name must be a signer of a document that the step signs. Names with parameters, and steps
 * with a document whose signers are unknown, are not checked.
 */
export async function signerErrors(
  steps: readonly TemplateStep[],
  documents: readonly StartingDocument[],
  signersOf: SignersOf,
): Promise<FieldError[]> {
  const templates = new Map(documents.map(({ name, templateId }) => [name, templateId]));
  for (const { id, type, config = {} } of steps) {
    const name = nameOfMade({ id, type, config });
    if (name !== undefined && makingOf({ type, config }) === 'document') templates.set(name, String(config.templateId));
  }
  const errors: FieldError[] = [];
  for (const [at, { type, config = {} }] of steps.entries()) {
    const named = type === 'signature' && Array.isArray(config.signers) ? signersAs(config.signers) : [];
    if (named.length === 0) continue;
    const known = await knownSigners(documentsNamed(config, documents), templates, signersOf);
    if (known !== undefined) errors.push(...named.flatMap((one) => wrongSigner(one, named, known, `/steps/${at}/config/signers`)));
  }
  return errors;
}

type NamedSigner = { place: number; signsAs: string };

const signersAs = (signers: readonly unknown[]): NamedSigner[] =>
  signers.flatMap((one, place) => {
    const signsAs: unknown = typeof one === 'object' && one !== null && 'signsAs' in one ? one.signsAs : undefined;
    return typeof signsAs === 'string' && !signsAs.includes('{{') ? [{ place, signsAs }] : [];
  });

/** Returns the names of the documents of a step: those that it names, or the first of the workflow. */
function documentsNamed({ documents, document }: Record<string, unknown>, given: readonly StartingDocument[]): string[] {
  if (Array.isArray(documents)) return documents.map(String);
  return typeof document === 'string' ? [document] : given.slice(0, 1).map(({ name }) => name);
}

async function knownSigners(
  names: readonly string[],
  templates: ReadonlyMap<string, string | undefined>,
  signersOf: SignersOf,
): Promise<string[] | undefined> {
  const known: string[] = [];
  for (const name of names) {
    const template = templates.get(name);
    const signers = template === undefined ? undefined : await signersOf(template);
    if (signers === undefined) return undefined;
    known.push(...signers);
  }
  return names.length === 0 ? undefined : [...new Set(known)];
}

function wrongSigner({ place, signsAs }: NamedSigner, all: readonly NamedSigner[], known: readonly string[], at: string): FieldError[] {
  const pointer = `${at}/${place}/signsAs`;
  if (all.some((other) => other.signsAs === signsAs && other.place < place))
    return [fieldError(pointer, 'is also used by another signer', 'unique')];
  if (known.includes(signsAs)) return [];
  const nearest = nearestName(signsAs, known);
  const hint = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
  const others = known.length === 0 ? 'the templates of its documents have no signature fields' : `use one of ${known.join(', ')}`;
  return [fieldError(pointer, `names no signer of the documents of the step: ${signsAs}: ${others}${hint}`, 'enum')];
}
