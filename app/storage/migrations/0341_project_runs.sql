-- A run may be work of coding agents on a project: {project_id, agent, kind}.
alter table runs add column project jsonb;
