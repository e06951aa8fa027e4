import { defineProblems } from '../../platform/problems.ts';

export const managementProblems = defineProblems({
  workflow_active: {
    status: 409,
    title: 'A workflow about it is under way',
    help: 'What a workflow is about is not erased while it runs. Wait until the workflow has ended, or cancel it, and send the request again.',
  },
});
