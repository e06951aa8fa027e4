import { domain as access } from '#access';
import type { FastifyRequest } from 'fastify';
import { domain as bookings } from '#bookings';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as folders } from '#folders';
import { domain as registriesDomain } from '#registries';
import { domain as issuedDocuments } from '#issued-documents';
import { domain as staff } from '#staff';
import { domain as addressSuggestions } from '#address-suggestions';
import { domain as tasks } from '#tasks';
import { domain as teams } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain, type Periodic, type Platform } from '../../platform/domain.ts';
import type { ValuesOf } from '../../platform/settings.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { writing } from '../../platform/http/scope.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { formsForPages } from './for-pages.ts';
import { answersToRegistries } from './bindings.ts';
import { answersToBookings } from './bookings.ts';
import { documentRoutes, documentsOfSubmissions } from './document/index.ts';
import { brandingRoutes } from './branding/index.ts';
import { draftRoutes } from './drafts/index.ts';
import { type Interfaces, linkPurpose, sealedLinks } from './links.ts';
import { interfaceListener } from './listeners.ts';
import { mailJobs } from './mails/index.ts';
import { formsForPreview, previewRoutes } from './preview/index.ts';
import { publicRoutes } from './public-routes.ts';
import { outputRoutes, outputsJob, type TemplatesForForms, TemplatesPort, usesOfTemplates } from './outputs/index.ts';
import { interfaceRoutes } from './routes.ts';
import { reportRoutes } from './reports/index.ts';
import { sharingRoutes } from './sharing/index.ts';
import { statisticsRoutes } from './statistics/index.ts';
import { dropOldExports, type Erasing, exportJob, submissionRoutes } from './submissions/index.ts';
import { countRates } from './submit/rates.ts';
import { interfaceSettings } from './config.ts';
import { documentFileJob, type Submitting, submitRoutes } from './submit/index.ts';
import { rememberTeams } from './visitor.ts';
import { openToEmbedding } from './embedding.ts';
import { suspensionRoutes } from './suspension/index.ts';
import { suggestRoutes } from './suggest-routes.ts';
import { linkForAssignee, taskFormListeners, taskFormMailJob, taskFormRoutes } from './task-forms/index.ts';
import { expireUploads, fileRoutes, roomOfAddresses, type Uploading, uploadRoutes } from './uploads/index.ts';
import { interfaceTables } from './tables.ts';
import { dropLeftovers, dropUnconfirmed, retention } from './upkeep/index.ts';

export { oldForms } from './old-definitions.ts';

/** Forms, booking forms and registry forms for visitors without an account, and their submissions. */
export const domain = defineDomain({
  name: 'forms',
  uses: {
    access,
    staff,
    teams,
    folders,
    documents,
    tasks,
    workflows,
    fields,
    registries: registriesDomain,
    bookings,
    'issued-documents': issuedDocuments,
    'address-suggestions': addressSuggestions,
  },
  settings: interfaceSettings,
  tables: interfaceTables,
  sealed: [sealedLinks],
  subscribes: { usual: [interfaceListener, ...taskFormListeners] },
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  open(
    { config, database, storage, scanner, listeners, clock, masterKey, log },
    {
      staff: overTeams,
      'address-suggestions': suggest,
      bookings: calendars,
      registries,
      workflows: openWorkflows,
      'issued-documents': made,
    },
    settings,
  ) {
    calendars.askInterfaces(answersToBookings);
    registries.askBindings(answersToRegistries);
    made.renders(documentsOfSubmissions({ storage, bookings: calendars }));
    const templates = new TemplatesPort();
    const templateUses = usesOfTemplates(() => templates.templates);
    openWorkflows.askForms(templateUses);
    const interfaces: Interfaces = { baseUrl: config.BASE_URL, links: masterKey.box(linkPurpose) };
    const { submitting, uploading } = workWithAnswers({ config, database, storage, scanner, masterKey, log }, settings, calendars);
    const erasing: Erasing = { storage, issuedDocuments: made, bookings: calendars };
    return {
      exports: {
        ...formsForPages(submitting, uploading, settings.FORM_REPORTS_PER_ADDRESS),
        previews: formsForPreview(),
        templateUses,
        useTemplates: (given: TemplatesForForms) => templates.use(given),
        taskForm: async (request: FastifyRequest, task: string) =>
          (await writing(request, (scope) => linkForAssignee(interfaces, scope, task))).token,
      },
      routes(app) {
        interfaceRoutes(app, { ...interfaces, templates });
        outputRoutes(app, () => templates.templates, openWorkflows.layouts);
        sharingRoutes(app);
        suspensionRoutes(app, overTeams);
        reportRoutes(app, interfaces, overTeams);
        submissionRoutes(app, { ...erasing, log });
        statisticsRoutes(app);
        previewRoutes(app, interfaces);
        taskFormRoutes(app, interfaces);
        brandingRoutes(app, config.BASE_URL);
        publicRoutes(app);
        submitRoutes(app, submitting);
        app.register(uploadRoutes(uploading));
        documentRoutes(app, made);
        fileRoutes(app, storage);
        draftRoutes(app, submitting);
        suggestRoutes(app, { suggest, perMinute: settings.SUGGEST_PER_MINUTE });
      },
      openToSites: openToEmbedding(database),
      jobs: [
        ...mailJobs({ baseUrl: config.BASE_URL, database, clock }),
        openJob(exportJob, { database, listeners, storage, clock }),
        openJob(documentFileJob, { database, listeners, storage, clock }),
        openJob(outputsJob, { database, listeners, storage, clock, log, templates: () => templates.templates }),
        openJob(taskFormMailJob, { interfaces, database, listeners, clock }),
      ],
      periodic: periodicWork({ database, storage, listeners }, erasing),
    };
  },
});

/** The periodic work on submissions, uploads and exports. */
const periodicWork = (
  { database, storage, listeners }: Pick<Platform, 'database' | 'storage' | 'listeners'>,
  erasing: Erasing,
): Periodic[] => [
  { name: 'upload-expire', cron: '27 * * * *', run: ({ now }) => expireUploads({ database, storage }, now) },
  {
    name: 'submission-retention',
    cron: '37 * * * *',
    run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, retention(erasing), now),
  },
  { name: 'submission-export-expire', cron: '47 * * * *', run: ({ now }) => dropOldExports({ database, storage }, now) },
  { name: 'submission-unconfirmed', cron: '57 * * * *', run: ({ now, isolation }) => dropUnconfirmed({ database, isolation }, now) },
  { name: 'submission-leftovers', cron: '57 * * * *', run: ({ now }) => dropLeftovers(database, now) },
];

type Opened = Pick<Platform, 'config' | 'database' | 'storage' | 'scanner' | 'masterKey' | 'log'>;

/** Creates the dependencies of the use cases for answers and uploads. */
function workWithAnswers(
  { config, database, storage, scanner, masterKey, log }: Opened,
  settings: ValuesOf<typeof interfaceSettings>,
  calendars: Submitting['bookings'],
): { submitting: Submitting; uploading: Uploading } {
  const maxUploadBytes = config.MAX_UPLOAD_MB * 1024 * 1024;
  const submitting: Submitting = {
    baseUrl: config.BASE_URL,
    log,
    rates: countRates(),
    teamOf: rememberTeams(database),
    bookings: calendars,
    perMinute: settings.FORM_SUBMITS_PER_MINUTE,
    perAddress: settings.FORM_SUBMITS_PER_ADDRESS,
    proofKey: masterKey.derive('interface-altcha').toString('hex'),
  };
  const uploading: Uploading = {
    ...submitting,
    storage,
    maxUploadBytes,
    ofAddress: roomOfAddresses(maxUploadBytes),
    scanner,
    perAddress: settings.FORM_UPLOADS_PER_ADDRESS,
  };
  return { submitting, uploading };
}

export type { TemplatesForForms } from './outputs/index.ts';
export { submissionErased } from './submissions/index.ts';
export { interfacesBehindBarriers } from './queries.ts';
export type { FormsForPages, SessionOutcome, PageForm } from './for-pages.ts';
export { turnOfForm } from './public.ts';
export { maxText, type Report, reportReasons } from './reports/index.ts';

export { accentOf, contrast, grounds, pictureOf } from './branding/index.ts';
export { recordSubmissionRead, readableSubmission } from './submissions/index.ts';
export { interfaceNames, interfacesWithSubmissions } from './access.ts';
export { bookingsToDecide } from './bookings.ts';
