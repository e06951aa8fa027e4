import { domain as documents } from '#documents';
import { domain as access } from '#access';
import { domain as fields } from '#fields';
import { domain as folders } from '#folders';
import { domain as forms } from '#forms';
import { domain as registries } from '#registries';
import { domain as signatures } from '#signatures';
import { domain as teams } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../../platform/domain.ts';
import { templateRoutes } from './routes.ts';
import { openSetting } from './setting.ts';
import { templateSharing } from './shares.ts';
import { openTemplates } from './for-batches.ts';
import { templatesForForms } from './for-forms.ts';
import { documentTemplateTables } from './tables.ts';
import { documentStepListeners, makeStepJob } from './workflow-steps.ts';
import { openJob } from '../../platform/jobs/job.ts';

/**
 * Templates for documents: Typst sources of a team, each with the schema of its values, and a library of examples. A document is rendered as
 * PDF/A-2a from values, a submission or a record. Values are data only, and templates run in a sandbox.
 */
export const domain = defineDomain({
  name: 'document-templates',
  uses: { teams, access, folders, documents, signatures, workflows, registries, forms, fields },
  tables: documentTemplateTables,
  description: () => import('./description.ts'),
  subscribes: { ...documentStepListeners, usual: [templateSharing.listener, ...documentStepListeners.usual] },
  open({ config, storage, log, database, listeners, clock }, { forms: openForms }) {
    const setting = openSetting({ log, fontsFolder: config.FONTS_DIR });
    openForms.useTemplates(templatesForForms(setting));
    return {
      exports: openTemplates(setting),
      routes: (app) => templateRoutes(app, { setting, storage, uses: openForms.templateUses }),
      jobs: [openJob(makeStepJob, { database, listeners, clock, setting, storage })],
      close: () => setting.close(),
    };
  },
});

export { type OpenTemplates } from './for-batches.ts';
export { storeOrigin } from './make.ts';
export { templateNames } from './access.ts';
