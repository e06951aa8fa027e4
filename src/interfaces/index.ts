import { domain as bookings } from '#bookings';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as folders } from '#folders';
import { domain as registries } from '#registries';
import { domain as renditions } from '#renditions';
import { domain as suggestions } from '#suggestions';
import { domain as teams } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../platform/domain.ts';
import { type Interfaces, linkPurpose, sealedLinks } from './links.ts';
import { publicRoutes } from './public-routes.ts';
import { interfaceRoutes } from './routes.ts';
import { interfaceTables } from './tables.ts';

/** Interfaces: forms, booking forms and registry forms that people without an account answer, and what they answered. */
export const domain = defineDomain({
  name: 'interfaces',
  uses: { teams, folders, documents, workflows, fields, registries, bookings, renditions, suggestions },
  tables: interfaceTables,
  sealed: [sealedLinks],
  description: () => import('./description.ts'),
  open({ config, masterKey }) {
    const interfaces: Interfaces = { baseUrl: config.BASE_URL, links: masterKey.box(linkPurpose) };
    return {
      exports: undefined,
      routes(app) {
        interfaceRoutes(app, interfaces);
        publicRoutes(app);
      },
    };
  },
});
