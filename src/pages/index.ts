import { domain as credentials } from '#credentials';
import { domain as fields } from '#fields';
import { defineDomain } from '../platform/domain.ts';
import { devAltchaPage } from './dev-altcha.ts';
import { pageRoutes } from './routes.ts';
import { startPage } from './start.ts';

/**
 * Pages that people reach from mails: a new password, and an invitation. They are clients of the API like any other, and
 * know no domain: their script calls the operations over HTTP.
 */
export const domain = defineDomain({
  name: 'pages',
  uses: { credentials, fields },
  open: ({ config, version }, { credentials: { passwordMinLength } }) => ({
    exports: undefined,
    routes(app) {
      startPage(app, { version, reference: config.API_DOCS, development: !config.production });
      pageRoutes(app, { passwordMinLength });
      if (!config.production) devAltchaPage(app);
    },
  }),
});
