import { solveChallenge } from 'altcha-lib/v1';
import { type Api, openApi, StepFailed } from './api.ts';
import type { Receiver } from './receiver-process.ts';

export const auth = '/api/v1/security/auth';

export type Person = { firstName: string; lastName: string; email: string; password: string };

/** Whom the demo's visitor signs in as: fixed, so that the README can name it, and only ever on a demo's own database. */
export const demoOwner: Person = { firstName: 'Olive', lastName: 'Owner', email: 'owner@demo.example', password: 'Demo-owner-2026' };

/** Registers with a proof of work, as the public page's widget would; returns how long that took, in milliseconds. */
export async function register(api: Api, person: Person): Promise<number> {
  const challenge = await api.send('GET', `${auth}/altcha?action=register`);
  const solved = await solveChallenge(challenge.challenge, challenge.salt, challenge.algorithm, challenge.maxnumber).promise;
  const altcha = Buffer.from(JSON.stringify({ ...challenge, number: solved?.number, took: solved?.took })).toString('base64');
  await api.send('POST', `${auth}/register`, { body: { ...person, altcha }, expect: 201 });
  return Math.round(solved?.took ?? 0);
}

/** The newest mail to an address, and the code in it. */
export async function mailedCode(api: Api, email: string): Promise<{ subject: string; code: string }> {
  const [mail] = await api.send('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`);
  const code = /\b(\d{6})\b/.exec(mail?.text ?? '')?.[1];
  if (code === undefined) throw new StepFailed('no mail with a code came');
  return { subject: mail.subject, code };
}

const receiverName = 'Demo receiver';

/** Makes sure that the demo's owner can sign in, and that the bundled receiver hears their team. */
export async function prepareOwner(baseUrl: string, receiver: Receiver): Promise<void> {
  const api = openApi(baseUrl);
  const body = { email: demoOwner.email, password: demoOwner.password };
  const signedIn = await api.send('POST', `${auth}/login`, { body }).catch(async () => {
    await register(api, demoOwner);
    const { code } = await mailedCode(api, demoOwner.email);
    return api.send('POST', `${auth}/verify-email`, { body: { email: demoOwner.email, code } });
  });
  api.authorize(signedIn.accessToken);
  const endpoints: { id: string; name: string }[] = await api.send('GET', '/api/v1/webhooks/');
  // The receiver of an earlier demo is gone, and its port with it.
  for (const { id } of endpoints.filter(({ name }) => name === receiverName))
    await api.send('DELETE', `/api/v1/webhooks/${id}`, { expect: 204 });
  const made = await api.send('POST', '/api/v1/webhooks/', { body: { name: receiverName, url: receiver.url, events: ['*'] }, expect: 201 });
  receiver.expect(made.secret);
}
