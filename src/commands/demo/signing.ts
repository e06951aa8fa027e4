import { type Api, asForm } from '@chancery/client';
import { contractFile } from './contract.ts';
import { must, type Play, sha256, StepFailed, until } from './api.ts';

/** A signer without an account. */
export type Signer = { name: string; email: string };
/** An API client that acts as the requester, and one without an account. */
type Both = { api: Api; open: Api };

const maxMs = 60_000;

/** Creates a workflow template of the team. Its parameters are the signers, who sign in turn. */
export async function signatureTemplate(api: Api, play: Play): Promise<string> {
  const parameter = (name: string) => ({ name, type: 'text' as const, required: true });
  const body = {
    name: 'agreement-signed-in-turn',
    description: 'An agreement is reviewed, approved, signed by both parties in turn, and filed.',
    parameters: ['ourName', 'ourEmail', 'theirName', 'theirEmail'].map(parameter),
    steps: [
      { id: 'review', type: 'review', name: 'Review the agreement', dueInDays: 3 },
      { id: 'approval', type: 'approval', name: 'Approve the agreement', config: { onReject: 'review' } },
      {
        id: 'signature',
        type: 'signature',
        name: 'Have the agreement signed',
        config: {
          signers: [
            { name: '{{ourName}}', email: '{{ourEmail}}' },
            { name: '{{theirName}}', email: '{{theirEmail}}' },
          ],
          inTurn: true,
          onReject: 'review',
          expiresInDays: 14,
        },
      },
      { id: 'file', type: 'task', name: 'File the sealed agreement', dueInDays: 2 },
    ],
  };
  return play('workflow template', async () => {
    const { name, steps, parameters } = must(await api.POST('/api/v1/workflows/templates', { body }));
    return { say: `${name}, ${steps.length} steps; parameters: ${parameters?.map((one) => one.name).join(', ')}`, value: name };
  });
}

/** Signs as each signer of the workflow's signature step by the link in the mail, and verifies the sealed document. */
export async function signAll(both: Both, workflowId: string, play: Play): Promise<void> {
  const { api, open } = both;
  const { id, signers } = await play('signatures asked', async () => {
    const { steps } = must(await api.GET('/api/v1/workflows/{id}', { params: { path: { id: workflowId } } }));
    const step = steps.find((one) => one.type === 'signature');
    if (step?.requestId === undefined) throw new StepFailed(`the step has no signature request: ${step?.outcome ?? step?.status}`);
    const made = await requestIn(api, step.requestId, 'pending');
    const [first, ...others] = made.signers;
    if (others.some(({ status }) => status !== 'waiting')) throw new StepFailed('later signers were already invited');
    const say = `“${made.title}”, ${made.pages?.length} pages: first ${first?.name}, then ${others.map(({ name }) => name).join(', ')}`;
    return { say, value: made };
  });
  const tokens: string[] = [];
  for (const signer of signers) tokens.push(await play('signed by link', () => signByLink(open, signer)));
  const sealed = await play('sealed', () => sealedFile(both, id, tokens));
  await play('seal verified', async () => {
    const file = new File([sealed], 'agreement.pdf', { type: 'application/pdf' });
    const { status, reason, signatures } = must(await open.POST('/api/v1/signatures/verify', { body: { file }, bodySerializer: asForm }));
    if (status !== 'valid') throw new StepFailed(`the sealed file is ${status}: ${reason}`);
    return {
      say: `${status}; by ${signatures.map(({ name, issuer }) => `“${name}”, issued by “${issuer}”`).join(', ')}`,
      value: undefined,
    };
  });
}

/** Returns a signature request as soon as it reaches a state. Throws if the request fails. */
async function requestIn(api: Api, id: string, state: 'pending' | 'completed') {
  const path = { id };
  const look = async () => {
    const found = must(await api.GET('/api/v1/signatures/{id}', { params: { path } }));
    if (found.status === 'failed') throw new StepFailed(`the request failed at ${found.step}: ${found.error}`);
    return found.status === state ? found : undefined;
  };
  return until(look, `the signature request did not become ${state}`, maxMs);
}

type Mailed = { subject: string; url: string; token: string };

/** Returns the signing link from the newest mail to an address, or undefined. */
async function mailedLink(open: Api, email: string): Promise<Mailed | undefined> {
  const [mail] = must(await open.GET('/dev/mail.json', { params: { query: { to: email } } }));
  const [url, token] = /https?:\/\/\S+\/sign\/([\w-]+)/.exec(mail?.text ?? '') ?? [];
  return mail && url !== undefined && token !== undefined ? { subject: mail.subject, url, token } : undefined;
}

/** Acts as a signer: opens the link from the mail, reads the document, agrees and signs. */
async function signByLink(open: Api, { name, email }: Signer): Promise<{ say: string; value: string }> {
  const { subject, token } = await until(() => mailedLink(open, email), `no link was mailed to ${email}`, maxMs);
  const params = { path: { token } };
  const shown = must(await open.POST('/api/v1/signatures/public/{token}/open', { params }));
  const file = await open.GET('/api/v1/signatures/public/{token}/document', { params, parseAs: 'arrayBuffer' });
  if (sha256(Buffer.from(must(file))) !== shown.document.sha256)
    throw new StepFailed('the file to sign does not match the hash on the page');
  const { consentId, locale, stateSha256, document } = shown;
  const body = { consent: true, name, consentId, locale, stateSha256, documentSha256: document.sha256 };
  const { status } = must(await open.POST('/api/v1/signatures/public/{token}/sign', { params, body }));
  return { say: `${name}, invited by “${subject}”, read the document and agreed; the request is ${status}`, value: token };
}

/** Returns the sealed version of the document. Checks that each signer gets the same file by the signing link. */
async function sealedFile(
  { api, open }: Both,
  request: string,
  tokens: readonly string[],
): Promise<{ say: string; value: Uint8Array<ArrayBuffer> }> {
  const { documentId, sealedVersion, sealedSha256, sealLevel } = await requestIn(api, request, 'completed');
  const path = { id: documentId };
  const { status, currentVersion } = must(await api.GET('/api/v1/smartdoc/documents/{id}', { params: { path } }));
  if (status !== 'signed' || currentVersion?.number !== sealedVersion)
    throw new StepFailed(`the document is ${status}, and version ${currentVersion?.number} is not the sealed version`);
  const content = await api.GET('/api/v1/smartdoc/documents/{id}/content', { params: { path }, parseAs: 'arrayBuffer' });
  const bytes = new Uint8Array(must(content));
  for (const token of tokens) {
    const theirs = await open.GET('/api/v1/signatures/public/{token}/sealed', { params: { path: { token } }, parseAs: 'arrayBuffer' });
    if (sha256(new Uint8Array(must(theirs))) !== sealedSha256) throw new StepFailed('a signer gets a file other than the sealed one');
  }
  if (sha256(bytes) !== sealedSha256) throw new StepFailed('the sealed version does not match the hash of the sealed file');
  return {
    say: `version ${sealedVersion}, ${bytes.length} bytes, ${sealLevel}; each signer can download it by the signing link`,
    value: bytes,
  };
}

const visitor: Signer = { name: 'Vera Visitor', email: 'visitor@demo.example' };
/** Fields around the signature line of the client in the demo contract. */
const fields = [
  { kind: 'signature' as const, page: 2, x: 74, y: 92, width: 180, height: 36 },
  { kind: 'text' as const, label: 'Place', page: 2, x: 74, y: 158, width: 100, height: 18 },
  { kind: 'date' as const, page: 2, x: 182, y: 158, width: 72, height: 18 },
];

/** Returns the link to a signing page for a visitor. Reuses the request of an earlier demo while it is pending. */
export async function signingPage({ api, open }: Both): Promise<string> {
  const earlier = await mailedLink(open, visitor.email);
  const seen = earlier && (await open.GET('/api/v1/signatures/public/{token}', { params: { path: { token: earlier.token } } })).data;
  if (seen?.status === 'pending') return earlier?.url ?? '';
  const file = new File([await contractFile()], 'services-agreement.pdf', { type: 'application/pdf' });
  const { id: documentId } = must(
    await api.POST('/api/v1/smartdoc/documents/', { body: { title: 'Services agreement', file }, bodySerializer: asForm }),
  );
  const body = {
    documentId,
    signers: [{ ...visitor, fields }],
    message: 'Here is the agreement that we discussed. It has no effect outside of this demo.',
    allowDelegation: true,
  };
  const { id } = must(await api.POST('/api/v1/signatures/', { body }));
  await requestIn(api, id, 'pending');
  const signatureRequest = await until(
    async () => {
      const link = await mailedLink(open, visitor.email);
      return link?.token === earlier?.token ? undefined : link;
    },
    'no link was mailed to the visitor',
    maxMs,
  );
  return signatureRequest.url;
}
