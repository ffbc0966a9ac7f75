"""What a run leaves on disk: tables, manifest, reader."""
