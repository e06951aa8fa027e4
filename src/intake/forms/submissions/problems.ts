import { registryProblems } from '#registries';
import { defineProblems } from '../../../platform/problems.ts';

const own = defineProblems({
  export_not_ready: {
    status: 409,
    title: 'Export file not ready',
    help: 'Chancery is still writing the export, or it failed. Read its status, and download the file when `status` is `done`.',
  },
  submission_not_failed: {
    status: 409,
    title: 'Submission not failed',
    help: 'All follow-up actions of the submission are completed or in progress. The member `effects` of the submission has the status of each.',
  },
  workflow_active: {
    status: 409,
    title: 'Workflow in progress',
    help: 'You cannot erase a submission while a workflow about it runs. Wait until the workflow ends, or cancel it, and send the request again.',
  },
});

/** The export of registry records uses the same code. */
export const managementProblems = { ...own, exports_in_progress: registryProblems.exports_in_progress };
