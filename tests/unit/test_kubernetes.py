"""The manifests are what Kubernetes takes, fit together, and set only what exists. Nobody has started them here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from app.settings import Settings
from scripts.reference_pages import variable

ROOT = Path(__file__).parents[2]
MANIFESTS: list[dict[str, Any]] = list(yaml.safe_load_all((ROOT / "kubernetes.yaml").read_text()))
VERSIONS = ("1.31", "1.33")
"""The oldest that is meant to work, and a later one."""
IDS = [f"{one['kind']} {one['metadata']['name']}" for one in MANIFESTS]


def pods() -> Iterator[dict[str, Any]]:
    for one in MANIFESTS:
        if one["kind"] in ("Deployment", "StatefulSet", "Job"):
            yield one["spec"]["template"]


def test_a_misspelt_field_is_noticed() -> None:
    wrong = {**MANIFESTS[0], "metdata": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[0], strict=True)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("manifest", MANIFESTS, ids=IDS)
def test_each_is_as_its_schema_says(manifest: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_they_are_in_one_namespace_with_names_of_their_own() -> None:
    assert len(set(IDS)) == len(IDS)
    assert {one["metadata"].get("namespace") for one in MANIFESTS if one["kind"] != "Namespace"} == {"summit"}


def test_selectors_find_the_pods_that_are_meant() -> None:
    labels = [pod["metadata"]["labels"].items() for pod in pods()]
    for one in MANIFESTS:
        spec = one.get("spec", {})
        selector = spec.get("selector") or spec.get("podSelector") or {}
        wanted = (selector.get("matchLabels") or selector).items() if selector else ()
        assert not wanted or any(wanted <= found for found in labels), one["metadata"]["name"]


def test_volumes_ports_and_services_that_are_named_exist() -> None:
    claims = {one["metadata"]["name"] for one in MANIFESTS if one["kind"] == "PersistentVolumeClaim"}
    services = {one["metadata"]["name"] for one in MANIFESTS if one["kind"] == "Service"}
    for pod in pods():
        volumes = {one["name"]: one for one in pod["spec"].get("volumes", [])}
        assert {
            one["persistentVolumeClaim"]["claimName"] for one in volumes.values() if "persistentVolumeClaim" in one
        } <= claims
        for container in pod["spec"]["containers"]:
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            assert mounted <= {*volumes, "data"}
    [ingress] = [one for one in MANIFESTS if one["kind"] == "Ingress"]
    backends = [
        path["backend"]["service"]["name"] for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]
    ]
    assert set(backends) <= services


def test_they_set_only_settings_that_exist_and_the_compose_files_images() -> None:
    known = {variable(name, field) for name, field in Settings.model_fields.items()}
    [config] = [one for one in MANIFESTS if one["kind"] == "ConfigMap"]
    containers = [container for pod in pods() for container in pod["spec"]["containers"]]
    named = {one["name"] for container in containers for one in container.get("env", [])}
    assert {name for name in {*named, *config["data"]} if name.startswith(("SUMMIT_", "DATABASE"))} <= known
    compose = (ROOT / "docker-compose.yml").read_text()
    # A cluster has its Ingress where Compose starts a proxy.
    assert {container["image"] for container in containers} == set(re.findall(r"image: (?!nginx)(\S+)", compose))


def test_no_container_is_root_gains_rights_or_writes_outside_its_volumes() -> None:
    for pod in pods():
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        for container in pod["spec"]["containers"]:
            rights = container["securityContext"]
            assert rights["readOnlyRootFilesystem"] is True
            assert rights["allowPrivilegeEscalation"] is False
            assert rights["capabilities"] == {"drop": ["ALL"]}
            assert "/tmp" in {mount["mountPath"] for mount in container["volumeMounts"]}  # noqa: S108 - a volume


def test_every_container_says_what_it_needs_and_every_server_how_it_is_seen_to_work() -> None:
    for pod in pods():
        for container in pod["spec"]["containers"]:
            assert set(container["resources"]["requests"]) == {"cpu", "memory"}
            assert "memory" in container["resources"]["limits"]
            if container.get("ports"):
                assert {"startupProbe", "livenessProbe", "readinessProbe"} <= container.keys()


def test_an_api_server_stays_while_nodes_are_emptied() -> None:
    [budget] = [one["spec"] for one in MANIFESTS if one["kind"] == "PodDisruptionBudget"]
    [api] = [one["spec"] for one in MANIFESTS if one["metadata"]["name"] == "api" and one["kind"] == "Deployment"]
    assert budget["selector"] == api["selector"]
    assert budget["minAvailable"] < api["replicas"]


def test_the_job_of_a_version_migrates_with_its_image() -> None:
    [job] = [one for one in MANIFESTS if one["kind"] == "Job"]
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["summit", "migrate"]
    assert job["metadata"]["name"] == "migrate-" + container["image"].partition(":")[2].replace(".", "-")


def test_a_pod_has_longer_to_stop_than_summit_takes() -> None:
    for pod in pods():
        if pod["metadata"]["labels"]["app"] == "summit":
            assert pod["spec"]["terminationGracePeriodSeconds"] > 10
