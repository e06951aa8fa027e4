-- A team's folders by when they were changed, wall by wall.
CREATE INDEX folder_by_change ON folder (team_id, wall_id, deleted_at, updated_at, id);
