import type { Api } from '@chancery/client';
import { contractReviewer, runOf } from './agent.ts';
import { makeAgreement } from './agreement.ts';
import { must, type Play } from './api.ts';
import { uploadContract } from './contract.ts';
import { signatureTemplate } from './signing.ts';

const folderName = 'Contracts';
const silently: Play = async (_name, work) => (await work()).value;

/**
 * Gives the demo owner work to see in the console: contracts, an agreement to review, and a call of an agent to approve. Does nothing if
 * an earlier demo did it.
 */
export async function fillTeam(api: Api): Promise<void> {
  const folders = must(await api.GET('/api/v1/smartdoc/folders/'));
  if (folders.some(({ name }) => name === folderName)) return;
  const { id: folder } = must(await api.POST('/api/v1/smartdoc/folders/', { body: { name: folderName } }));
  await uploadContract(api, folder);
  const documentId = await makeAgreement(api, folder, silently);
  const name = await signatureTemplate(api, silently);
  const parameters = {
    ourName: 'Olivia Berg',
    ourEmail: 'olivia@northwind.example',
    theirName: 'Łukasz Nowak',
    theirEmail: 'lukasz@acme.example',
  };
  const body = { documentId, parameters };
  const { id } = must(await api.POST('/api/v1/workflows/templates/{name}', { params: { path: { name } }, body }));
  must(await api.POST('/api/v1/workflows/{id}/start', { params: { path: { id } } }));
  const agent = await contractReviewer(api, silently);
  await runOf(api, agent, silently);
}
