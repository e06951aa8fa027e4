import { domain as documents } from '#documents';
import { domain as access } from '#access';
import { domain as folders } from '#folders';
import { domain as forms } from '#forms';
import { domain as registries } from '#registries';
import { domain as signatures } from '#signatures';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { templateRoutes } from './routes.ts';
import { openSetting } from './setting.ts';
import { templateSharing } from './shares.ts';
import { openTemplates } from './for-batches.ts';
import { documentTemplateTables } from './tables.ts';

/**
 * Templates for documents: a team's own sources in Typst, each with the schema of the values it takes, and a library to begin with. A
 * document is made from values, a submission or a record, as PDF/A-2a; values are data, and a template runs confined.
 */
export const domain = defineDomain({
  name: 'document-templates',
  uses: { teams, access, folders, documents, signatures, registries, forms },
  tables: documentTemplateTables,
  description: () => import('./description.ts'),
  subscribes: { usual: [templateSharing.listener] },
  open({ config, storage, log }) {
    const setting = openSetting({ log, fontsFolder: config.FONTS_DIR });
    return {
      exports: openTemplates(setting),
      routes: (app) => templateRoutes(app, { setting, storage }),
      close: () => setting.close(),
    };
  },
});

export { type OpenTemplates } from './for-batches.ts';
export { keepOrigin } from './make.ts';
