import { desk } from '../platform/http/openapi/example-data.ts';
import type { DomainText } from '../platform/http/openapi/texts.ts';

const group = {
  id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f31',
  name: 'Litigation',
  description: 'The lawyers for disputes',
  membersCount: 1,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const member = { userId: desk.priya.id, addedBy: desk.olivia.id, addedAt: desk.monday };

export const description: DomainText = {
  operations: {
    listGroups: {
      text: 'Lists the groups of the team, newest first unless `sort` says otherwise. All members of the team may list them.',
      answer: [group],
    },
    createGroup: {
      text: 'Creates a group without members. Owner and administrators create at most 1 000 groups. Share folders and other resources with a group by `groupId`: its members get the access of the share.',
      records: ['group.created'],
      problems: ['group_name_taken', 'group_limit'],
      body: { name: group.name, description: group.description },
      answer: { ...group, membersCount: 0 },
    },
    getGroup: { text: 'Shows the name, the description, the creator and the number of members of a group.', answer: group },
    updateGroup: {
      text: 'Changes the name or the description of a group. Omitted members stay unchanged.',
      records: ['group.updated'],
      problems: ['group_name_taken', 'group_managed_by_directory'],
      body: { name: 'Disputes' },
      answer: { ...group, name: 'Disputes', updatedAt: desk.tuesday },
    },
    deleteGroup: {
      text: 'Deletes a group and every share with it. Its members lose the access that only the group gave them. A group that open tasks, steps of unfinished workflows or templates name is 409 `group_in_use`. With `force=true` its unclaimed tasks have no assignee afterwards, and owner and administrators get a mail. Claimed tasks stay with their assignees.',
      records: ['group.deleted'],
      problems: ['group_in_use', 'group_managed_by_directory'],
    },
    getGroupUses: {
      text: 'Counts the shares and barriers of a group, and the open tasks, steps of unfinished workflows and templates that name it. The last three prevent its deletion.',
      answer: { shares: 2, barriers: 0, tasks: 1, steps: 1, templates: 0 },
    },
    listGroupMembers: {
      text: 'Lists the members of a group in the order of their identifiers, with the person who added them and the time.',
      answer: [member],
    },
    addGroupMember: {
      text: 'Adds an active member of the team to a group. Adding a member again changes nothing.',
      records: ['group.member_added'],
      problems: ['member_not_found', 'group_managed_by_directory'],
      body: { userId: desk.priya.id },
      answer: member,
    },
    removeGroupMember: {
      text: 'Removes a member from a group. The member loses the access that only the group gave them.',
      records: ['group.member_removed'],
      problems: ['group_managed_by_directory'],
    },
  },
};
