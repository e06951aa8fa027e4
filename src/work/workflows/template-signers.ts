import { didYouMean } from '../../platform/http/known-members.ts';
import { type FieldError, fieldError } from '../../platform/problems.ts';
import { makingOf, nameOfMade } from './making.ts';
import type { TemplateStep } from './schemas.ts';
import { signersNamed, type StepSigner } from './signature-config.ts';

/**
 * A document of a workflow that a form starts. `templateId`: the document template that it is made from. `isOptional`: a condition can omit it.
 */
export type StartingDocument = { name: string; templateId?: string | undefined; isOptional?: boolean };

/** Returns the signers of a document template; undefined if they are unknown. */
export type SignersOf = (templateId: string) => Promise<readonly string[] | undefined>;

/** A document that a step signs. `signers`: the signers of its template; undefined if they are unknown. */
type SignedDocument = { name: string; isOptional: boolean; signers: readonly string[] | undefined };

/**
 * Returns the errors of `signsAs` in the steps of a template: a name must be a signer of a document that the step signs. `warnings` are about signers of
 * the templates that no signer of the step signs as. Names with parameters, and documents whose signers are unknown, are not checked.
 */
export async function signerErrors(
  steps: readonly TemplateStep[],
  given: readonly StartingDocument[],
  signersOf: SignersOf,
): Promise<{ errors: FieldError[]; warnings: FieldError[] }> {
  const known = new Map(given.map((one) => [one.name, one]));
  for (const { id, type, config = {} } of steps) {
    const name = nameOfMade({ id, type, config });
    if (name !== undefined && makingOf({ type, config }) === 'document')
      known.set(name, { name, templateId: String(config.templateId), isOptional: config.when !== undefined });
  }
  const errors: FieldError[] = [];
  const warnings: FieldError[] = [];
  for (const [at, { type, config = {} }] of steps.entries()) {
    const signers = type === 'signature' ? (signersNamed(config) ?? []) : [];
    if (signers.every(({ signsAs }) => signsAs === undefined)) continue;
    const documents: SignedDocument[] = [];
    for (const name of documentsNamed(config, given)) {
      const { templateId, isOptional = false } = known.get(name) ?? {};
      documents.push({ name, isOptional, signers: templateId === undefined ? undefined : await signersOf(templateId) });
    }
    const found = checkSigners(signers, documents, `/steps/${at}/config/signers`);
    errors.push(...found);
    if (found.length === 0) warnings.push(...unsigned(signers, documents, `/steps/${at}/config/signers`));
  }
  return { errors, warnings };
}

/** Returns the names of the documents of a step: those that it names, or the first of the workflow. */
function documentsNamed({ documents, document }: Record<string, unknown>, given: readonly StartingDocument[]): string[] {
  if (Array.isArray(documents)) return documents.map(String);
  return typeof document === 'string' ? [document] : given.slice(0, 1).map(({ name }) => name);
}

const nameIn = ({ signsAs }: StepSigner, document: number): string | undefined =>
  (typeof signsAs === 'string' ? signsAs : signsAs?.[document]) || undefined;

function checkSigners(signers: readonly StepSigner[], documents: readonly SignedDocument[], at: string): FieldError[] {
  return signers.flatMap(({ signsAs }, place) => {
    const pointer = `${at}/${place}/signsAs`;
    const isTaken = documents.some(({ signers: known }, document) => {
      const name = nameIn(signers[place] as StepSigner, document);
      const isUsed = name !== undefined && (known?.includes(name) ?? typeof signsAs === 'string');
      return isUsed && signers.findIndex((other) => nameIn(other, document) === name) < place;
    });
    if (isTaken) return [fieldError(pointer, 'is also used by another signer', 'unique')];
    if (typeof signsAs === 'string') return wrongSigner(signsAs, documents, pointer);
    return (signsAs ?? []).flatMap((name, n) =>
      name === ''
        ? []
        : wrongSigner(
            name,
            documents.slice(n, n + 1).map((one) => ({ ...one, isOptional: false })),
            `${pointer}/${n}`,
          ),
    );
  });
}

/** Returns the error of a name that is not a signer of the documents, or none of those that are never omitted. */
function wrongSigner(name: string, documents: readonly SignedDocument[], pointer: string): FieldError[] {
  if (name.includes('{{') || documents.length === 0 || documents.some(({ signers }) => signers === undefined)) return [];
  const known = [...new Set(documents.flatMap(({ signers = [] }) => signers))];
  if (known.includes(name)) {
    if (documents.some(({ signers = [], isOptional }) => !isOptional && signers.includes(name))) return [];
    const reason = `names a signer only of documents that a condition can omit: ${name}: give a list with a name for each document`;
    return [fieldError(pointer, reason, 'enum')];
  }
  const others = known.length === 0 ? 'the templates of its documents have no signature fields' : `use one of ${known.join(', ')}`;
  return [fieldError(pointer, `does not name a signer of the documents of the step: ${name}: ${others}${didYouMean(name, known)}`, 'enum')];
}

/** Returns warnings about the signers of the templates that no signer signs as. Their signature fields stay empty. */
function unsigned(signers: readonly StepSigner[], documents: readonly SignedDocument[], at: string): FieldError[] {
  const names = (document: number) => signers.flatMap((one) => nameIn(one, document) ?? []);
  return documents.flatMap(({ name, signers: known = [] }, document) => {
    const used = names(document);
    const open = used.some((one) => one.includes('{{')) ? [] : known.filter((one) => !used.includes(one));
    return open.length === 0
      ? []
      : [fieldError(at, `leave signature fields of the document “${name}” empty: no signer signs as ${open.join(', ')}`, 'unsigned')];
  });
}
