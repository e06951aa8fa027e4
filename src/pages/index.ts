import { defineDomain } from '../platform/domain.ts';

/**
 * Pages that people reach from mails: a new password, and an invitation. They are clients of the API like any other, and
 * know no domain: their script calls the operations over HTTP.
 */
export const domain = defineDomain({ name: 'pages', uses: [], tables: {} });

export { devAltchaPage } from './dev-altcha.ts';
export { pageRoutes } from './routes.ts';
export { startPage } from './start.ts';
