import { defineTexts, plural } from '../../texts/texts.ts';

export const groupTexts = defineTexts({
  en: {
    intro: 'A group is a named list of members. You can share with it, and give it tasks and steps of workflows.',
    create: 'Create a group',
    description: 'Description',
    members: 'Members',
    size: (count: number) => plural(count, { one: '1 member', other: `${count} members` }),
    changed: 'Changed',
    none: 'No groups yet',
    created: (name: string) => `The group “${name}” was created.`,
    fromDirectory: 'A directory manages this group. Change it there.',
    directory: 'From a directory',
    details: 'Name and description',
    membersText: 'They have the access of the group until they leave it.',
    add: 'Add members',
    addVerb: (count: number) => (count > 1 ? `Add ${count} members` : 'Add the member'),
    added: (count: number) => plural(count, { one: '1 member added.', other: `${count} members added.` }),
    notAdded: (count: number) => plural(count, { one: '1 member was not added:', other: `${count} members were not added:` }),
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name} from the group?`,
    removeText: 'The member loses the access that only this group gives.',
    removed: 'The member left the group.',
    since: 'Since',
    empty: 'No members in this group',
    emptyText: 'Add members, so that the group has someone to work and to read.',
    delete: 'Delete the group',
    deleteLine: 'Ends the shares with the group. The members stay in the team.',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleted: (name: string) => `The group “${name}” was deleted.`,
    noUse: 'Nothing uses this group now. You cannot undo this.',
    uses: {
      shares: (count: number) => plural(count, { one: '1 share with the group ends.', other: `${count} shares with the group end.` }),
      barriers: (count: number) =>
        plural(count, {
          one: '1 information barrier loses the members of the group.',
          other: `${count} information barriers lose the members of the group.`,
        }),
      tasks: (count: number) =>
        plural(count, { one: '1 open task then has no assignee.', other: `${count} open tasks then have no assignee.` }),
      steps: (count: number) =>
        plural(count, {
          one: '1 step of an unfinished workflow names the group.',
          other: `${count} steps of unfinished workflows name the group.`,
        }),
      templates: (count: number) =>
        plural(count, { one: '1 workflow template names the group.', other: `${count} workflow templates name the group.` }),
      policies: (count: number) =>
        plural(count, { one: '1 approval policy names the group.', other: `${count} approval policies name the group.` }),
    },
    noUndo: 'You cannot undo this.',
  },
  de: {
    intro:
      'Eine Gruppe ist eine benannte Liste von Mitgliedern. Sie können für sie freigeben und ihr Aufgaben und Schritte von Abläufen geben.',
    create: 'Gruppe anlegen',
    description: 'Beschreibung',
    members: 'Mitglieder',
    size: (count: number) => plural(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
    changed: 'Geändert',
    none: 'Noch keine Gruppen',
    created: (name: string) => `Die Gruppe „${name}“ wurde angelegt.`,
    fromDirectory: 'Ein Verzeichnis verwaltet diese Gruppe. Ändern Sie sie dort.',
    directory: 'Aus einem Verzeichnis',
    details: 'Name und Beschreibung',
    membersText: 'Sie haben den Zugang der Gruppe, bis sie die Gruppe verlassen.',
    add: 'Mitglieder hinzufügen',
    addVerb: (count: number) => (count > 1 ? `${count} Mitglieder hinzufügen` : 'Mitglied hinzufügen'),
    added: (count: number) => plural(count, { one: '1 Mitglied hinzugefügt.', other: `${count} Mitglieder hinzugefügt.` }),
    notAdded: (count: number) =>
      plural(count, { one: '1 Mitglied wurde nicht hinzugefügt:', other: `${count} Mitglieder wurden nicht hinzugefügt:` }),
    remove: 'Entfernen',
    removeTitle: (name: string) => `${name} aus der Gruppe entfernen?`,
    removeText: 'Das Mitglied verliert den Zugang, den nur diese Gruppe gibt.',
    removed: 'Das Mitglied ist nicht mehr in der Gruppe.',
    since: 'Seit',
    empty: 'Keine Mitglieder in dieser Gruppe',
    emptyText: 'Fügen Sie Mitglieder hinzu, damit in der Gruppe jemand arbeitet und liest.',
    delete: 'Gruppe löschen',
    deleteLine: 'Beendet die Freigaben für die Gruppe. Die Mitglieder bleiben im Team.',
    deleteTitle: (name: string) => `„${name}“ löschen?`,
    deleted: (name: string) => `Die Gruppe „${name}“ wurde gelöscht.`,
    noUse: 'Nichts verwendet diese Gruppe zurzeit. Das lässt sich nicht rückgängig machen.',
    uses: {
      shares: (count: number) =>
        plural(count, { one: '1 Freigabe für die Gruppe endet.', other: `${count} Freigaben für die Gruppe enden.` }),
      barriers: (count: number) =>
        plural(count, {
          one: '1 Informationssperre verliert die Mitglieder der Gruppe.',
          other: `${count} Informationssperren verlieren die Mitglieder der Gruppe.`,
        }),
      tasks: (count: number) =>
        plural(count, {
          one: '1 offene Aufgabe ist dann niemandem zugewiesen.',
          other: `${count} offene Aufgaben sind dann niemandem zugewiesen.`,
        }),
      steps: (count: number) =>
        plural(count, {
          one: '1 Schritt eines laufenden Ablaufs nennt die Gruppe.',
          other: `${count} Schritte laufender Abläufe nennen die Gruppe.`,
        }),
      templates: (count: number) =>
        plural(count, { one: '1 Ablaufvorlage nennt die Gruppe.', other: `${count} Ablaufvorlagen nennen die Gruppe.` }),
      policies: (count: number) =>
        plural(count, { one: '1 Freigaberichtlinie nennt die Gruppe.', other: `${count} Freigaberichtlinien nennen die Gruppe.` }),
    },
    noUndo: 'Das lässt sich nicht rückgängig machen.',
  },
});
