// Written by `npm run generate` from src/access/model.fga.
/** The relations to the team that each role includes. */
export const roleRelations = {
  owner: ['owner', 'admin', 'member', 'anyone', 'writer'],
  admin: ['admin', 'member', 'anyone', 'writer'],
  member: ['member', 'anyone', 'writer'],
  viewer: ['viewer', 'anyone'],
  guest: ['guest', 'writer'],
  auditor: ['auditor'],
  anyone: [],
  unconfined: ['unconfined'],
  writer: ['writer'],
} as const;

/** A permission holds if one of its clauses holds: each part of `all`, and no relation of `unless`. */
export const permissions = {
  matter: {
    view: [{ all: [{ relations: ['viewer', 'editor', 'owner'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] }],
    edit: [
      {
        all: [
          { relations: ['editor', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    assign: [
      {
        all: [
          { relations: ['viewer', 'editor', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  folder: {
    view: [
      {
        all: [{ relations: ['viewer', 'editor', 'owner'], from: { parent: ['owner', 'editor', 'viewer'] }, team: ['admin', 'unconfined'] }],
        unless: ['excluded'],
      },
    ],
    edit: [
      {
        all: [
          { relations: ['editor', 'owner'], from: { parent: ['owner', 'editor'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    assign: [
      {
        all: [
          { relations: ['viewer', 'editor', 'owner'], from: { parent: ['owner', 'editor', 'viewer'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  document: {
    view: [
      {
        all: [
          {
            relations: ['viewer', 'editor', 'owner', 'participant'],
            from: { parent: ['owner', 'editor', 'viewer'] },
            team: ['admin', 'unconfined'],
          },
        ],
        unless: ['excluded'],
      },
    ],
    edit: [
      {
        all: [
          { relations: ['editor', 'owner'], from: { parent: ['owner', 'editor'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    assign: [
      {
        all: [
          { relations: ['viewer', 'editor', 'owner'], from: { parent: ['owner', 'editor', 'viewer'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    comment: [
      {
        all: [
          {
            relations: ['viewer', 'editor', 'owner', 'participant'],
            from: { parent: ['owner', 'editor', 'viewer'] },
            team: ['admin', 'unconfined'],
          },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    request_signature: [
      {
        all: [
          { relations: ['editor', 'owner'], from: { parent: ['owner', 'editor'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    request_outside_signature: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
      {
        all: [
          { relations: [], from: {}, team: ['unconfined'] },
          { relations: ['editor', 'owner'], from: { parent: ['owner', 'editor'] }, team: ['admin', 'unconfined'] },
        ],
        unless: ['outsider'],
      },
    ],
    export: [
      {
        all: [
          { relations: ['owner'], from: { parent: ['owner'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  template: {
    view: [
      {
        all: [
          {
            relations: ['viewer', 'editor', 'manager', 'owner'],
            from: { parent: ['editor', 'owner', 'viewer'] },
            team: ['admin', 'unconfined'],
          },
        ],
        unless: ['excluded'],
      },
    ],
    use: [
      {
        all: [
          {
            relations: ['viewer', 'editor', 'manager', 'owner'],
            from: { parent: ['editor', 'owner', 'viewer'] },
            team: ['admin', 'unconfined'],
          },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    edit: [
      {
        all: [
          { relations: ['editor', 'manager', 'owner'], from: { parent: ['editor', 'owner'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['manager', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  registry: {
    view: [
      {
        all: [
          {
            relations: ['viewer', 'editor', 'manager', 'owner', 'binder'],
            from: { parent: ['editor', 'owner', 'viewer'] },
            team: ['admin', 'unconfined'],
          },
        ],
        unless: ['excluded'],
      },
    ],
    edit: [
      {
        all: [
          { relations: ['editor', 'manager', 'owner'], from: { parent: ['editor', 'owner'] }, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['manager', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    bind: [
      {
        all: [
          { relations: ['binder', 'owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  form: {
    view: [
      { all: [{ relations: ['editor', 'owner', 'submission_viewer'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] },
    ],
    view_submissions: [
      { all: [{ relations: ['submission_viewer', 'owner'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] },
    ],
    view_calendar: [{ all: [{ relations: ['editor', 'owner'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] }],
    edit: [
      {
        all: [
          { relations: ['editor', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    share: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    manage_submissions: [
      {
        all: [
          { relations: ['submission_manager', 'owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  assistant: {
    view: [{ all: [{ relations: ['user'], from: {}, team: ['admin', 'unconfined'] }], unless: [] }],
    run: [{ all: [{ relations: ['user'], from: {}, team: ['admin'] }], unless: [] }],
    manage: [{ all: [{ relations: [], from: {}, team: ['admin'] }], unless: [] }],
  },
  workflow: {
    view: [
      {
        all: [
          {
            relations: ['owner', 'participant'],
            from: { parent: ['viewer', 'editor', 'owner'], about: ['owner'] },
            team: ['admin', 'unconfined'],
          },
        ],
        unless: ['excluded'],
      },
    ],
    comment: [
      {
        all: [
          {
            relations: ['owner', 'participant'],
            from: { parent: ['viewer', 'editor', 'owner'], about: ['owner'] },
            team: ['admin', 'unconfined'],
          },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    edit: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    cancel: [
      {
        all: [
          { relations: ['owner'], from: { about: ['owner'] }, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    create: [{ all: [{ relations: [], from: {}, team: ['writer'] }], unless: [] }],
  },
  workflow_template: {
    view: [{ all: [{ relations: ['owner'], from: {}, team: ['admin', 'anyone', 'unconfined'] }], unless: [] }],
    create: [{ all: [{ relations: [], from: {}, team: ['writer'] }], unless: [] }],
    manage: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: [],
      },
    ],
  },
  task: {
    view: [
      {
        all: [
          {
            relations: ['assignee', 'candidate', 'absentee', 'owner', 'participant'],
            from: { parent: ['viewer', 'editor', 'owner'] },
            team: ['admin', 'unconfined'],
          },
        ],
        unless: ['excluded'],
      },
    ],
    complete: [{ all: [{ relations: ['assignee'], from: {}, team: [] }], unless: ['outsider'] }],
    decide: [
      {
        all: [
          { relations: ['assignee'], from: {}, team: [] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['conflicted', 'outsider'],
      },
    ],
    claim: [{ all: [{ relations: ['candidate'], from: {}, team: [] }], unless: ['outsider'] }],
    claim_decision: [
      {
        all: [
          { relations: ['candidate'], from: {}, team: [] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['conflicted', 'outsider'],
      },
    ],
    release: [{ all: [{ relations: ['assignee'], from: {}, team: ['admin'] }], unless: ['outsider'] }],
    reassign: [
      {
        all: [
          { relations: ['assignee', 'owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    reassign_decision: [
      {
        all: [
          { relations: ['assignee'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    take_back: [
      {
        all: [
          { relations: ['absentee'], from: {}, team: [] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    create: [{ all: [{ relations: [], from: {}, team: ['writer'] }], unless: [] }],
  },
  approval: {
    view: [{ all: [{ relations: ['owner', 'participant'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] }],
    manage: [
      {
        all: [
          { relations: [], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  signature_request: {
    view: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin', 'unconfined'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['excluded'],
      },
    ],
    manage: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
    sign: [{ all: [{ relations: ['signer'], from: {}, team: [] }], unless: ['outsider'] }],
  },
  run: {
    view: [{ all: [{ relations: ['owner'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] }],
    cancel: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['excluded'],
      },
    ],
  },
  batch: {
    view: [{ all: [{ relations: ['owner'], from: {}, team: ['admin', 'unconfined'] }], unless: ['excluded'] }],
    cancel: [
      {
        all: [
          { relations: ['owner'], from: {}, team: ['admin'] },
          { relations: [], from: {}, team: ['writer'] },
        ],
        unless: ['outsider'],
      },
    ],
  },
  evidence_pack: { view: [{ all: [{ relations: ['owner'], from: {}, team: ['admin'] }], unless: ['excluded'] }] },
} as const;
