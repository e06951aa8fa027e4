import { domain as accounts } from '#accounts';
import { domain as agents } from '#agents';
import { domain as bookings } from '#bookings';
import { domain as credentials } from '#credentials';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as forms } from '#forms';
import { domain as connectedApps } from '#connected-apps';
import { domain as issuedDocuments } from '#issued-documents';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { defineDomain } from '../../platform/domain.ts';
import { signInAnswerPage } from './oauth-callback.ts';
import { consentPage } from './consent.ts';
import { devAltchaPage } from './dev-altcha.ts';
import { openAssets } from './public/assets.ts';
import { publicRoutes } from './public/routes.ts';
import { pageRoutes } from './routes.ts';
import { openLeaves } from './signing/leaves.ts';
import { startPage } from './start.ts';

/**
 * Pages for people. The pages for passwords and invitations, to which mails link, call the API operations by script. Public pages for forms, bookings
 * and verification work without scripts, so they call the use cases of the operations directly.
 */
export const domain = defineDomain({
  name: 'public-pages',
  uses: {
    credentials,
    accounts,
    'connected-apps': connectedApps,
    documents,
    agents,
    tasks,
    fields,
    'issued-documents': issuedDocuments,
    bookings,
    signatures,
    forms,
  },
  open: (
    { config, storage, version },
    {
      credentials: { passwordMinLength },
      accounts: { signInPages: session },
      documents: versions,
      tasks: duties,
      'issued-documents': made,
      bookings: calendars,
      signatures: signing,
      forms: publicForms,
      'connected-apps': connecting,
      agents: { readSignInAnswer },
    },
  ) => {
    const base = new URL(config.BASE_URL).pathname.replace(/\/$/, '');
    return {
      exports: undefined,
      routes(app) {
        startPage(app, { version, reference: config.API_DOCS, development: !config.production });
        pageRoutes(app, { passwordMinLength });
        consentPage(app, connecting.readRequest);
        signInAnswerPage(app, readSignInAnswer);
        publicRoutes(app, {
          base,
          assets: openAssets(base),
          forms: publicForms,
          previews: publicForms.previews,
          taskForm: publicForms.taskForm,
          session,
          documents: versions,
          tasks: duties,
          formsAt: '/f',
          bookings: calendars.pages,
          issuedDocuments: made,
          signing,
          verifying: signing.verifying,
          leaves: openLeaves(storage),
          storage,
        });
        if (!config.production) devAltchaPage(app);
      },
    };
  },
});
