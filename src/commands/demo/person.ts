import { solveChallenge } from 'altcha-lib/v1';
import { type Api, openApi } from '../../../clients/typescript/index.ts';
import { apiAs, must, StepFailed } from './api.ts';
import { bookingForm, intakeForm } from './forms.ts';
import type { Receiver } from './receiver-process.ts';
import { signingPage } from './signing.ts';

export type Person = { firstName: string; lastName: string; email: string; password: string };

/** Whom the demo's visitor signs in as: fixed, so that the README can name it, and only ever on a demo's own database. */
export const demoOwner: Person = { firstName: 'Olive', lastName: 'Owner', email: 'owner@demo.example', password: 'Demo-owner-2026' };

/** Registers with a proof of work, as the public page's widget would; returns how long that took, in milliseconds. */
export async function register(open: Api, person: Person): Promise<number> {
  const challenge = must(await open.GET('/api/v1/security/auth/altcha', { params: { query: { action: 'register' } } }));
  const { challenge: hash, salt, algorithm, maxnumber } = challenge;
  const solved = await solveChallenge(String(hash), String(salt), String(algorithm), Number(maxnumber)).promise;
  const altcha = Buffer.from(JSON.stringify({ ...challenge, number: solved?.number, took: solved?.took })).toString('base64');
  must(await open.POST('/api/v1/security/auth/register', { body: { ...person, altcha } }));
  return Math.round(solved?.took ?? 0);
}

/** The newest mail to an address, and the code in it. */
export async function mailedCode(open: Api, email: string): Promise<{ subject: string; code: string }> {
  const [mail] = must(await open.GET('/dev/mail.json', { params: { query: { to: email } } }));
  const code = /\b(\d{6})\b/.exec(mail?.text ?? '')?.[1];
  if (mail === undefined || code === undefined) throw new StepFailed('no mail with a code came');
  return { subject: mail.subject, code };
}

const receiverName = 'Demo receiver';

/** The access token of the demo's owner, who is registered where there is none yet. */
async function signInOwner(open: Api): Promise<string> {
  const { email, password } = demoOwner;
  const signedIn = await open.POST('/api/v1/security/auth/login', { body: { email, password } });
  if (signedIn.data && 'accessToken' in signedIn.data) return signedIn.data.accessToken;
  await register(open, demoOwner);
  const { code } = await mailedCode(open, email);
  return must(await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } })).accessToken;
}

/** Makes sure that the demo's owner can sign in, that the bundled receiver hears their team, and that it has pages for visitors. */
export async function prepareOwner(baseUrl: string, receiver: Receiver): Promise<{ form: string; booking: string; signing: string }> {
  const open = openApi(baseUrl);
  const api = apiAs(baseUrl, await signInOwner(open));
  const endpoints = must(await api.GET('/api/v1/webhooks/'));
  // The receiver of an earlier demo is gone, and its port with it.
  for (const { id } of endpoints.filter(({ name }) => name === receiverName))
    await api.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } } });
  const made = must(await api.POST('/api/v1/webhooks/', { body: { name: receiverName, url: receiver.url, events: ['*'] } }));
  receiver.expect(made.secret);
  return { form: (await intakeForm(api)).url, booking: (await bookingForm(api)).url, signing: await signingPage({ api, open }) };
}
