-- How the last try to turn a recording into words ended, in the words of app.ports.voice.HearingOutcome.
alter table memos add column outcome text;
