import { registryProblems } from '#registries';
import { defineProblems } from '../../platform/problems.ts';

const own = defineProblems({
  export_not_ready: {
    status: 409,
    title: 'The file of the export is not there',
    help: 'The export is being written, or it has failed. Read how far it is, and fetch the file once its `status` is `done`.',
  },
  workflow_active: {
    status: 409,
    title: 'A workflow about it is under way',
    help: 'What a workflow is about is not erased while it runs. Wait until the workflow has ended, or cancel it, and send the request again.',
  },
});

/** The same code is answered where a team has records of registries exported. */
export const managementProblems = { ...own, exports_under_way: registryProblems.exports_under_way };
