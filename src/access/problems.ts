import { defineProblems } from '../platform/problems.ts';

export const accessProblems = defineProblems({
  self_share_not_allowed: {
    status: 409,
    title: 'You already have access',
    help: '`userId` is your own identifier, and you already have access. Name another member.',
  },
  group_not_found: {
    status: 404,
    title: 'Group not found',
    help: '`groupId`, `groupIds` and `groups` must name groups of your team. List the groups with `GET /api/v1/groups` and check the identifiers.',
  },
  client_not_found: {
    status: 404,
    title: 'API client not found',
    help: '`clientId` must name an active API client of your team that is not confined to folders. List the API clients and check the identifier.',
  },
  consent_of_another: {
    status: 409,
    title: 'Consent of another member',
    help: 'The API client already acts on behalf of another member here. That member or an administrator can end that consent with `DELETE`. Then send yours again.',
  },
  consent_limit: {
    status: 409,
    title: 'Too many consents',
    help: 'At most 100 API clients act on one resource. End a consent that is no longer needed.',
  },
  group_name_taken: {
    status: 409,
    title: 'Group name in use',
    help: 'Another group of the team has this name, regardless of case. Choose another name.',
  },
  group_in_use: {
    status: 409,
    title: 'The group is in use',
    help: 'Open tasks, steps of unfinished workflows, templates or approval policies name the group. `GET /api/v1/groups/{id}/uses` counts them. Change them first, or delete the group with `force=true`: its open tasks then have no assignee.',
  },
  group_managed_by_directory: {
    status: 409,
    title: 'A directory manages this group',
    help: 'A directory of the team manages the group. Change it there. It cannot be a member of an information barrier: add members, or a group of your own.',
  },
  guest_in_group: {
    status: 422,
    title: 'Guests cannot be in a group',
    help: 'A guest or auditor sees only resources that were shared with them. Share with them directly, or change their role first.',
  },
  group_limit: {
    status: 409,
    title: 'Too many groups',
    help: 'A team has at most 1 000 groups. Delete groups that are no longer used.',
  },
});
