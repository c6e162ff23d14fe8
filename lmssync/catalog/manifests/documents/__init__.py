"""documents: reads a file of the catalog as documents, and finds the place of each value in it."""

from .manifest_documents import (
    NOT_A_MANIFEST as NOT_A_MANIFEST,
    Document as Document,
    ManifestFile as ManifestFile,
    Patch as Patch,
    PolicyCheck as PolicyCheck,
    Scope as Scope,
    find_misplaced_manifests as find_misplaced_manifests,
    find_misplacement as find_misplacement,
    locate_at_once as locate_at_once,
    locate_problems_in_files as locate_problems_in_files,
    located_in as located_in,
    read_manifest_file as read_manifest_file,
    unreadable_problem as unreadable_problem,
)
from .project_file import read_project_file as read_project_file, unknown_rules as unknown_rules
from .slice_settings import find_outside_slices as find_outside_slices
