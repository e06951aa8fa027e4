import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const client = {
  id: '019d2f4e-6a00-7c2b-9a54-0000000000c1',
  name: 'Acme Robotics',
  reference: 'K-1042',
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const matter = {
  id: '019d2f4e-6a00-7c2b-9a54-0000000000c2',
  number: '2026-0001',
  name: 'Acme Robotics ./. Contoso',
  status: 'open',
  clientId: client.id,
  practice: 'Litigation',
  responsibleId: desk.olivia.id,
  openedOn: '2026-03-02',
  fields: { court: 'Landgericht Berlin', value: 250_000 },
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const deadline = {
  id: '019d2f4e-6a00-7c2b-9a54-0000000000c3',
  matterId: matter.id,
  title: 'Statement of defence',
  dueDate: '2026-04-01T21:59:59.999Z',
  source: 'Order of the court of 2 March',
  assigneeId: desk.priya.id,
  remindDays: 5,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const share = { id: desk.share, userId: desk.priya.id, access: 'write', reason: 'share', grantedBy: desk.olivia.id, since: desk.monday };
const barrier = { matterId: matter.id, userIds: [desk.olivia.id, desk.priya.id], groupIds: [], since: desk.tuesday, status: 'active' };
const items = [
  { type: 'folder', id: desk.folder },
  { type: 'document', id: desk.document },
];

export const description: DomainText = {
  operations: {
    listMatters: {
      text: 'Lists the matters that the caller may see, in the order of creation unless `sort` says otherwise. A person sees matters that they are responsible for and those shared with them; owner and administrators see all. A barrier hides a matter from everyone else.',
      answer: [matter],
    },
    createMatter: {
      text: 'Creates a matter. Its responsible person owns the matter and everything in its folders: the caller, or the owner of the team for an API client. Only owner and administrators name another member. Without `number`, the matter gets the year and the next number of that year. To put things into the matter, set `matterId` when you create a folder, document, workflow, task, form or registry, or add existing ones with `addMatterContents`.',
      records: ['matter.created'],
      problems: ['member_not_found', 'matter_number_taken', 'matter_client_not_found'],
      body: { name: matter.name, clientId: client.id, practice: matter.practice, fields: matter.fields },
      answer: matter,
    },
    getMatter: { text: 'Shows a matter. A matter that the caller may not see is 404.', answer: matter },
    updateMatter: {
      text: 'Changes the given members. It needs write access. `null` clears a member, and `fields` replaces all fields. A new responsible person becomes the owner of everything in the folders of the matter. Only the responsible person and administrators may name one. A barrier must include the new person. The journal records old and new values.',
      records: ['matter.updated'],
      problems: ['member_not_found', 'matter_closed', 'matter_number_taken', 'matter_client_not_found', 'outside_barrier'],
      body: { practice: 'Arbitration' },
      answer: { ...matter, practice: 'Arbitration', updatedAt: desk.wednesday },
    },
    deleteMatter: {
      text: 'Deletes a matter without content. Content in the bin and ended work count as content, so a matter that was used is closed instead. Allowed are the responsible person, and owner and administrators. A legal hold and the retention period of a closed matter prevent it.',
      records: ['matter.deleted'],
      problems: ['matter_not_empty', 'matter_retained', 'legal_hold_active'],
    },
    closeMatter: {
      text: 'Closes a matter. From then on its content is read-only: no new content, versions, changes, moves or deletions, and no new work. Shares and the barrier can still change. Active workflows, open tasks and signature requests prevent it, and the response lists them. With `force` and `reason` they are ended: workflows and tasks are cancelled, requests are voided. A document that is being sealed cannot be ended. Forms in it are closed, and forms elsewhere write no records into its registries. Until `retainUntil` the matter cannot be deleted, and no form in it erases answers. Allowed are the responsible person, and owner and administrators.',
      records: ['matter.closed', 'workflow.cancelled', 'signature.voided'],
      problems: ['matter_closed', 'open_work', 'matter_too_large'],
      body: { retainUntil: '2036-12-31' },
      answer: { ...matter, status: 'closed', closedOn: '2026-03-04', retainUntil: '2036-12-31', updatedAt: desk.wednesday },
    },
    reopenMatter: {
      text: 'Reopens a closed matter with its former status. Its content can change again. `retainUntil` stays until a later close sets another day. Allowed are the responsible person, and owner and administrators.',
      records: ['matter.updated'],
      problems: ['matter_not_closed'],
      answer: { ...matter, updatedAt: desk.wednesday },
    },
    listMatterContents: {
      text: 'Lists the visible contents of a matter in the order of creation. They are its top folders, documents outside of folders, workflows, tasks, forms, registries and signature requests. `open` marks work that prevents closing. The lists of documents, workflows, tasks, forms and requests with `matterId` include the content of folders.',
      answer: [
        { type: 'folder', id: desk.folder, name: 'Pleadings', updatedAt: desk.monday },
        { type: 'workflow', id: desk.workflow, name: 'Review', open: true, updatedAt: desk.tuesday },
      ],
    },
    addMatterContents: {
      text: 'Adds folders, documents, workflows without a document of the team, and registries to a matter: all or none. The caller must own them or be an administrator, and may write to the matter. Folders and documents then belong to the responsible person. Work about documents follows them. If more people would see a resource in the matter, the response is 422 until `confirm` is true. Adding a resource again changes nothing.',
      records: ['matter.content_added', 'folder.moved', 'document.moved'],
      problems: [
        'in_another_matter',
        'follows_document',
        'matter_closed',
        'wider_audience',
        'legal_hold_active',
        'barrier_change_in_progress',
        'name_taken',
        'folder_barred',
        'folder_too_deep',
        'matter_not_found',
      ],
      body: { items, confirm: true },
    },
    removeMatterContents: {
      text: 'Removes folders, documents, workflows and registries from a matter: all or none. Folders and documents go to the top of the tree of the responsible person, who keeps them. The caller must own them or be an administrator, and may write to the matter.',
      records: ['matter.content_removed', 'folder.moved', 'document.moved'],
      problems: ['follows_document', 'matter_closed', 'legal_hold_active', 'barrier_change_in_progress', 'name_taken', 'folder_barred'],
      body: { items },
    },
    listMatterAccess: {
      text: 'Lists the users with access to a matter, with the reason and start of each access. Allowed are the responsible person, and owner and administrators of the team.',
      problems: ['forbidden'],
      answer: {
        grants: [
          { userId: desk.olivia.id, access: 'write', reason: 'owner', since: desk.monday },
          share,
          { userId: desk.marcus.id, access: 'write', reason: 'role' },
        ],
        privilegedAccess: [],
      },
    },
    shareMatter: {
      text: 'Shares a matter and everything in it, to read or to write, with a member, a group or the whole team. Forms and signature requests keep their own access. A second share with the same principal replaces the first. A barrier takes precedence over a share.',
      records: ['matter.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.priya.id, access: 'write' },
      answer: share,
    },
    revokeMatterGrant: {
      text: 'Ends a share of a matter from the next request on. Access that its principal gave to others by tasks stays until the tasks end. A repetition is 404.',
      records: ['matter.unshared'],
    },
    getMatterBarrier: {
      text: 'Shows the members of the information barrier on this matter. A matter without a barrier is 404. While a job raises or removes the barrier, `status` and `progress` show its state.',
      answer: barrier,
    },
    putMatterBarrier: {
      text: 'Raises an information barrier (ethical wall) on a matter, or replaces its members. From then on, the matter and everything in it are invisible to all others. No role, share, task, search, export or API client gives access. A barrier gives no access, so a member needs a share as well. A responsible person who raises it is a member. Open tasks in it lose excluded assignees. Emergency access is that of folders: `listBarriers` has the matter. Allowed are the responsible person and administrators. With more documents than `BARRIER_JOB_DOCUMENTS` the response is 202, and a job continues.',
      records: ['folder.barrier_set', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['member_not_found', 'group_not_found', 'barrier_change_in_progress'],
      body: { userIds: [desk.priya.id] },
      answer: barrier,
    },
    deleteMatterBarrier: {
      text: 'Lifts the barrier on a matter, so that shares and roles give access to it again. Allowed are the responsible person, and administrators who are members.',
      records: ['folder.barrier_lifted', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['barrier_change_in_progress'],
    },
    listMatterDeadlines: {
      text: 'Lists the deadlines of a matter in the order of their creation, each with its task after the task was created.',
      answer: [deadline],
    },
    createMatterDeadline: {
      text: 'Adds a deadline to a matter. A job creates one task for it, `remindDays` working days of the team before the date, for the assignee or the responsible person. It is created within five minutes if that time has passed. A closed matter gets no tasks. It needs write access. A matter has at most 500 deadlines.',
      records: ['matter.deadline_created', 'matter.deadline_due', 'task.created'],
      problems: ['member_not_found', 'matter_closed', 'deadline_limit'],
      body: { title: deadline.title, dueDate: '2026-04-01', source: deadline.source, assigneeId: desk.priya.id },
      answer: deadline,
    },
    getMatterDeadline: { text: 'Shows a deadline with its task, after the task was created.', answer: deadline },
    updateMatterDeadline: {
      text: 'Changes the given members. A new date or a new `remindDays` creates a new task when its time comes; an earlier task stays. It needs write access.',
      records: ['matter.deadline_updated'],
      problems: ['member_not_found', 'matter_closed'],
      body: { remindDays: 10 },
      answer: { ...deadline, remindDays: 10, updatedAt: desk.wednesday },
    },
    deleteMatterDeadline: {
      text: 'Deletes a deadline. A task that was created for it stays. It needs write access.',
      records: ['matter.deadline_deleted'],
      problems: ['matter_closed'],
    },
    listMatterClients: {
      text: 'Lists the clients of the team in the order of creation. All members of the team see all clients, so a name must disclose nothing.',
      answer: [client],
    },
    createMatterClient: {
      text: 'Creates a client of the team, for use in matters. Names are unique regardless of case.',
      records: ['matter_client.created'],
      problems: ['matter_client_name_taken'],
      body: { name: client.name, reference: client.reference },
      answer: client,
    },
    getMatterClient: { text: 'Shows the name and the reference of a client. All members of the team may read clients.', answer: client },
    updateMatterClient: {
      text: 'Changes the name or the reference of a client. `null` clears the reference.',
      records: ['matter_client.updated'],
      problems: ['matter_client_name_taken'],
      body: { reference: 'K-1043' },
      answer: { ...client, reference: 'K-1043', updatedAt: desk.tuesday },
    },
  },
  members: {
    matterId: 'The matter of the resource',
    clientId: 'The client of the matter',
    responsibleId: 'The responsible person, who owns the matter',
    remindDays: 'Working days of the team before the date at which the task is created',
    practice: 'The area of law or the department',
    openedOn: 'The day on which the matter was opened; today by default, unless it is pending',
    closedOn: 'The day on which the matter was closed',
    assigneeId: 'The member who gets the task; by default the responsible person',
    source: 'The origin of the date, such as a rule or an order of a court',
    'Matter.fields': 'Fields of your own',
    'MatterBarrier.groupIds': 'The groups whose members are inside the barrier',
    'MatterContent.type': 'The type of the resource',
    'MatterContent.open': 'The work prevents closing',
    'MatterItem.type': 'The type of the resource',
    'AddMatterContentsRequest.items': 'Up to 100 resources',
    'RemoveMatterContentsRequest.items': 'Up to 100 resources',
    'PutMatterBarrierRequest.groupIds': 'All groups whose members are inside the barrier. None by default',
    'items.type': 'The type of the resource',
  },
};
