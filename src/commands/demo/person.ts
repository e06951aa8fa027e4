import { solveChallenge } from 'altcha-lib/v1';
import { type Api, openApi } from '@chancery/client';
import { apiAs, must, until } from './api.ts';
import { bookingForm, intakeForm } from './forms.ts';
import type { Receiver } from './receiver-process.ts';
import { fillTeam } from './owner-team.ts';
import { signingPage } from './signing.ts';

export type Person = { firstName: string; lastName: string; email: string; password: string };

/** The account for visitors of the demo. It is fixed because the README names it, and exists only in the demo database. */
export const demoOwner: Person = { firstName: 'Olive', lastName: 'Owner', email: 'owner@demo.example', password: 'Demo-owner-2026' };

/** Registers with a proof of work, like the widget of the public page. Returns the milliseconds of the proof. */
export async function register(open: Api, person: Person): Promise<number> {
  const challenge = must(await open.GET('/api/v1/security/auth/altcha', { params: { query: { action: 'register' } } }));
  const { challenge: hash, salt, algorithm, maxnumber } = challenge;
  const solved = await solveChallenge(String(hash), String(salt), String(algorithm), Number(maxnumber)).promise;
  const altcha = Buffer.from(JSON.stringify({ ...challenge, number: solved?.number, took: solved?.took })).toString('base64');
  must(await open.POST('/api/v1/security/auth/register', { body: { ...person, altcha } }));
  return Math.round(solved?.took ?? 0);
}

/** Returns the subject and the code of the newest mail to an address. Waits for it, because a queue sends the mails. */
export const mailedCode = (open: Api, email: string): Promise<{ subject: string; code: string }> =>
  until(async () => {
    const [mail] = must(await open.GET('/dev/mail.json', { params: { query: { to: email } } }));
    const code = /\b(\d{6})\b/.exec(mail?.text ?? '')?.[1];
    return mail === undefined || code === undefined ? undefined : { subject: mail.subject, code };
  }, 'no mail with a code arrived');

const receiverName = 'Demo receiver';

/** Signs the demo owner in and returns the access token. Registers the account at the first start. */
async function signInOwner(open: Api): Promise<string> {
  const { email, password } = demoOwner;
  const signedIn = await open.POST('/api/v1/security/auth/login', { body: { email, password } });
  if (signedIn.data && 'accessToken' in signedIn.data) return signedIn.data.accessToken;
  await register(open, demoOwner);
  const { code } = await mailedCode(open, email);
  return must(await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } })).accessToken;
}

/** Prepares the account of the demo owner: a webhook endpoint for the bundled receiver, public pages for visitors, and work in the console. */
export async function prepareOwner(baseUrl: string, receiver: Receiver): Promise<{ form: string; booking: string; signing: string }> {
  const open = openApi(baseUrl);
  const api = apiAs(baseUrl, await signInOwner(open));
  const endpoints = must(await api.GET('/api/v1/webhooks/'));
  // The receiver of an earlier demo no longer runs, and its port differs.
  for (const { id } of endpoints.filter(({ name }) => name === receiverName))
    await api.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } } });
  const made = must(await api.POST('/api/v1/webhooks/', { body: { name: receiverName, url: receiver.url, events: ['*'] } }));
  receiver.expect(made.secret);
  await fillTeam(api);
  return { form: (await intakeForm(api)).url, booking: (await bookingForm(api)).url, signing: await signingPage({ api, open }) };
}
