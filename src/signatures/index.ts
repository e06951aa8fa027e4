import { defineDomain } from '../platform/domain.ts';
import { signatureSettings } from './config.ts';
import { signatureRoutes } from './routes.ts';
import { openVerifying } from './service.ts';

/** Signatures of files: whether a PDF, from wherever it comes, is as it was signed, by whom and when, and what was added since. */
export const domain = defineDomain({
  name: 'signatures',
  settings: signatureSettings,
  description: () => import('./description.ts'),
  open({ storage, clock }, _uses, { VERIFY_TRUST: trusted }) {
    const verifying = openVerifying({ trusted, now: clock });
    return {
      exports: undefined,
      routes: (app) => void app.register(signatureRoutes({ storage, verifying })),
    };
  },
});
