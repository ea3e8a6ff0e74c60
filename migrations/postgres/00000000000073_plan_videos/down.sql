DROP TABLE plan_videos;
DROP TABLE played_views;
