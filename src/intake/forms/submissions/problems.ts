import { registryProblems } from '#registries';
import { defineProblems } from '../../../platform/problems.ts';

const own = defineProblems({
  export_not_ready: {
    status: 409,
    title: 'The file of the export is not there',
    help: 'The export is being written, or it has failed. Read how far it is, and fetch the file once its `status` is `done`.',
  },
  submission_not_failed: {
    status: 409,
    title: 'Nothing of it has failed',
    help: 'What was to follow from the submission is done, or is being done. Read it: `effects` says how each stands.',
  },
  workflow_active: {
    status: 409,
    title: 'A workflow about it is under way',
    help: 'What a workflow is about is not erased while it runs. Wait until the workflow has ended, or cancel it, and send the request again.',
  },
});

/** The same code is answered where a team has records of registries exported. */
export const managementProblems = { ...own, exports_in_progress: registryProblems.exports_in_progress };
