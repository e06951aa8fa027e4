import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as documents } from '#documents';
import { domain as folders } from '#folders';
import { domain as keys } from '#keys';
import { domain as teams } from '#teams';
import { domain as webhooks } from '#webhooks';
import type { Transaction } from '../../platform/database/database.ts';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { openJob } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { signatureSettings } from './config.ts';
import {
  barrierListeners,
  dropSessions,
  evidenceSigner,
  expiries,
  leaverListener,
  linkPurpose,
  mayMailSigner,
  prepareJob,
  publicRoutes,
  reminders,
  requestBySeal,
  requestRoutes,
  type Requests,
  requestTables,
  sealedLinks,
  sealJob,
  signingForPages,
  notifySignersJob,
  type Working,
} from './requests/index.ts';
import { signatureRoutes } from './routes.ts';
import { openSeals } from './open-seals.ts';
import { openVerifying } from './service.ts';

/** The domain of signatures: signature requests with their evidence, and the verification of signatures in any PDF. */
export const domain = defineDomain({
  name: 'signatures',
  // Webhooks provide guarded connections to timestamp authorities and to the addresses that certificates name.
  uses: { access, accounts, keys, webhooks, teams, folders, documents },
  settings: signatureSettings,
  tables: requestTables,
  sealed: [sealedLinks],
  subscribes: { usual: [leaverListener, ...barrierListeners] },
  description: () => import('./description.ts'),
  async open(platform, { keys: ring }, settings) {
    const { config, database, storage, clock, listeners, masterKey, log } = platform;
    const seals = await openSeals(platform, settings, ring.seals);
    const verifying = openVerifying({
      trust: seals.trust,
      now: clock,
      requestBySeal: (sha256) => requestBySeal(database, sha256),
    });
    const context: Requests = {
      baseUrl: config.BASE_URL,
      links: masterKey.box(linkPurpose),
      codeKey: masterKey.derive('signature-codes'),
      evidence: evidenceSigner(ring),
      storage,
    };
    const scopeOf = (db: Transaction, team: string, requestId: string): Scope => ({
      db,
      team,
      actor: { type: 'system' },
      now: clock(),
      requestId,
      listeners,
    });
    const working: Working = {
      database,
      context,
      sealing: seals.sealing,
      log,
      clock,
      scopeOf,
    };
    return {
      exports: { ...signingForPages(context), verifying },
      routes(app) {
        app.register(signatureRoutes({ storage, verifying }));
        requestRoutes(app, context);
        publicRoutes(app, context);
      },
      mayMail: mayMailSigner(database),
      jobs: [openJob(prepareJob, working), openJob(sealJob, working), openJob(notifySignersJob, working)],
      periodic: [
        {
          name: 'signature-expiry',
          cron: '* * * * *',
          run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, expiries, now),
        },
        {
          name: 'signature-reminders',
          cron: '*/15 * * * *',
          run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, reminders(context), now),
        },
        { name: 'signature-sessions', cron: '23 * * * *', run: ({ now }) => dropSessions(database, now) },
        ...seals.periodic,
      ],
      close: seals.close,
    };
  },
});

export {
  type CreateRequest,
  type FieldPlace,
  fieldPlaces,
  fieldPlacesOf,
  keepFieldPlaces,
  localeError,
  type Locked,
  mayAskToSign,
  onRequestEnded,
  pauseRequest,
  proofsOfRequest,
  type RequestEnded,
  type RequestInFull,
  type RequestInWhole,
  requestInWhole,
  requestsAbout,
  requestsToSign,
  requestBody,
  requestNames,
  requestOf,
  requestSignature,
  requestState,
  requireLocales,
  signersError,
  type Signing,
  type SigningForPages,
  voidRequest,
} from './requests/index.ts';
export type { VerificationResult, Verifying } from './service.ts';
