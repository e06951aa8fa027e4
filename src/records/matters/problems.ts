import { defineProblems } from '../../platform/problems.ts';

export const matterProblems = defineProblems({
  matter_number_taken: {
    status: 409,
    title: 'Matter number in use',
    help: 'Another matter of the team has this number, regardless of case. It may be one that you cannot see. Choose another number, or omit it.',
  },
  matter_client_name_taken: {
    status: 409,
    title: 'Client name in use',
    help: 'Another client of the team has this name, regardless of case. Use that client, or choose another name.',
  },
  matter_client_not_found: {
    status: 422,
    title: 'Client not found',
    help: '`clientId` must name a client of the team. List the clients with `GET /api/v1/matter-clients` and check the identifier.',
  },
  matter_not_empty: {
    status: 409,
    title: 'Matter not empty',
    help: 'The matter has content, work or resources in the bin. Move them out, or close the matter instead of deleting it.',
  },
  matter_retained: {
    status: 409,
    title: 'Retention period running',
    help: 'The matter is kept until its `retainUntil`. Delete it after that day.',
  },
  matter_not_closed: {
    status: 409,
    title: 'Matter not closed',
    help: 'Only a closed matter can be reopened. Read its `status`.',
  },
  open_work: {
    status: 409,
    title: 'Open work in the matter',
    help: '`openWork` lists active workflows, open tasks and signature requests. End them, or close the matter with `force` and a `reason`, which ends them.',
  },
  in_another_matter: {
    status: 409,
    title: 'Already in another matter',
    help: 'A resource is in one matter at most. Remove it from the other matter first.',
  },
  wider_audience: {
    status: 422,
    title: 'More people would have access',
    help: 'In the matter, more people would see the resource. Send the request again with `confirm: true` if that is intended.',
  },
  follows_document: {
    status: 409,
    title: 'Work follows its document',
    help: 'A workflow about a document of the team is in the matter of that document. Move the document instead.',
  },
  deadline_limit: {
    status: 409,
    title: 'Too many deadlines',
    help: 'A matter has at most 500 deadlines. Delete some that are over.',
  },
  matter_too_large: {
    status: 409,
    title: 'Too many open items',
    help: 'The matter has more than 500 open workflows, tasks and signature requests. End some of them, then close the matter.',
  },
});
