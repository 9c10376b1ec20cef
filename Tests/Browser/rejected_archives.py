"""Archives that the rule book rejects."""
import uuid

from desk import push_unpublished
from service import edited_archive


def archive_with_lost_levels(archive, target, units):
    """A copy of an archive in which some units name a level that does not exist."""
    def lose(features):
        for feature in features[:units]:
            feature["properties"]["level_id"] = str(uuid.uuid4())

    return edited_archive(archive, target, {"unit.geojson": lose})


def reject(service, venue_key, archive, *options):
    """The upload of an archive in which the rule book finds errors."""
    rejected = push_unpublished(service, venue_key, archive, "--strict", *options)
    upload = service.get_json(f"/uploads/{rejected}")
    assert upload["state"] == "rejected"
    return upload
